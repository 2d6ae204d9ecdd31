// What a newcomer sees first: what this is, and questions to click, each asked as somebody
// else.
import { h } from "../dom.js";
import { nameOf } from "../store.js";
import { WORDS } from "../words.js";
import { avatar } from "./person.js";

export function welcome(state, session) {
  const { bot, team, examples } = state;
  const several = new Set(examples.map((one) => one.as)).size > 1;
  return h(
    "section",
    { class: "welcome", "aria-labelledby": "welcome-title" },
    h(
      "h2",
      { id: "welcome-title" },
      avatar({ is_bot: true }, "medium"),
      WORDS.welcomeTitle(bot.name),
    ),
    h("p", {}, WORDS.welcome(bot.name, team, several)),
    h(
      "ul",
      { class: "examples" },
      examples.map((one) => h("li", {}, card(one, state, session))),
    ),
  );
}

// What somebody could ask of their own, in the direct message with the bot.
export function ownQuestions(state, session) {
  const asked = state.questions[state.as] ?? state.prompts.get(state.channel) ?? [];
  if (!asked.length) return null;
  const ask = (text) => session.ask({ as: state.as, text, note: "" });
  return h(
    "ul",
    { class: "examples own-questions", "aria-label": WORDS.ownQuestions },
    asked.map((text) =>
      h(
        "li",
        {},
        h(
          "button",
          { class: "example", type: "button", onclick: () => ask(text) },
          h("span", { class: "example-text", dir: "auto" }, text),
        ),
      ),
    ),
  );
}

function card(example, state, session) {
  const channel = state.channels.get(example.channel);
  const person = state.people.get(example.as);
  const where = channel ? WORDS.asksHere(channel.name) : WORDS.asksDirect;
  return h(
    "button",
    { class: "example", type: "button", onclick: () => session.ask(example) },
    h(
      "span",
      { class: "example-who" },
      avatar(person, "medium"),
      h("span", {}, h("strong", {}, nameOf(state, example.as)), h("small", {}, where)),
    ),
    h("span", { class: "example-text", dir: "auto" }, example.text),
  );
}
