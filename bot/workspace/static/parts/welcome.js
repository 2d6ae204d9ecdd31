// What a newcomer sees first: what this is, and questions to click, each asked as somebody
// else.
import { h } from "../dom.js";
import { nameOf } from "../store.js";
import { WORDS } from "../words.js";
import { avatar } from "./person.js";

export function welcome(state, session) {
  const { bot, team, examples } = state;
  return h(
    "section",
    { class: "welcome", "aria-labelledby": "welcome-title" },
    h(
      "h2",
      { id: "welcome-title" },
      avatar({ is_bot: true }, "medium"),
      WORDS.welcomeTitle(bot.name),
    ),
    h("p", {}, WORDS.welcome(bot.name, team.name)),
    h(
      "ul",
      { class: "examples" },
      examples.map((one) => h("li", {}, card(one, state, session))),
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
