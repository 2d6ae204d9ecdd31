// Slack's mrkdwn as nodes. Only &amp; &lt; &gt; are escapes in it; <...> are references to
// links, people and channels; * _ ~ ` mark up within one line.
import { h, link } from "../dom.js";
import { emoji } from "./emoji.js";

const TAGS = { "*": "strong", _: "em", "~": "s" };
const WORD = /[\p{L}\p{N}]/u;
const BARE_ADDRESS = /https?:\/\/[^\s<>|]+[^\s<>|.,;:!?'")\]]/y;
const EMOJI_NAME = /:([a-z0-9_+-]+):/y;

// `names` tells what people and channels are called: {user(id), channel(id), me}.
export function mrkdwn(text, names) {
  return text.split(/\n?(```[^]*?```)\n?/).flatMap((part) => {
    if (part.startsWith("```") && part.length >= 6) {
      const code = part.slice(3, -3).replace(/^\n/, "");
      return [h("pre", {}, unescaped(code))];
    }
    return quotedLines(part, names);
  });
}

function quotedLines(text, names) {
  const lines = text.split("\n");
  const nodes = [];
  for (let at = 0; at < lines.length;) {
    const quoted = isQuote(lines[at]);
    let end = at;
    while (end < lines.length && isQuote(lines[end]) === quoted) end += 1;
    const run = lines.slice(at, end).map((line) => (quoted ? line.replace(QUOTE, "") : line));
    const inside = inline(run.join("\n"), names);
    nodes.push(...(quoted ? [h("blockquote", { dir: "auto" }, inside)] : inside));
    at = end;
  }
  return nodes;
}

const QUOTE = /^(?:&gt;|>)\s?/;
const isQuote = (line) => QUOTE.test(line);

function inline(text, names, within = "") {
  const nodes = [];
  const hopeless = new Map(); // delimiter -> the line end up to which nothing closes it
  let plain = "";
  let at = 0;
  const flush = () => {
    if (plain) nodes.push(unescaped(plain));
    plain = "";
  };
  while (at < text.length) {
    const found = piece(text, at, names, within, hopeless);
    if (found) {
      flush();
      nodes.push(found.node);
      at = found.end;
    } else {
      plain += text[at];
      at += 1;
    }
  }
  flush();
  return nodes;
}

// What begins at `at` and is more than a character, as {node, end}.
function piece(text, at, names, within, hopeless) {
  const char = text[at];
  if (char === "<") return reference(text, at, names);
  if (char === "`") return codeSpan(text, at);
  if (char === ":") return emojiAt(text, at);
  if (char === "h") return bareAddress(text, at);
  if (!(char in TAGS) || within.includes(char)) return null;
  const end = closing(text, at, hopeless);
  if (end < 0) return null;
  const inside = inline(text.slice(at + 1, end), names, within + char);
  return { node: h(TAGS[char], {}, inside), end: end + 1 };
}

function closing(text, at, hopeless) {
  const char = text[at];
  const opens = !WORD.test(text[at - 1] ?? " ") && /[^\s]/.test(text[at + 1] ?? " ");
  if (!opens || text[at + 1] === char || at < (hopeless.get(char) ?? -1)) return -1;
  let place = at + 1;
  for (; place < text.length && text[place] !== "\n"; place += 1) {
    const skipped = skip(text, place);
    if (skipped > place) place = skipped - 1;
    else if (closesAt(text, place, char)) return place;
  }
  hopeless.set(char, place);
  return -1;
}

const closesAt = (text, place, char) =>
  text[place] === char && !/\s/.test(text[place - 1]) && !WORD.test(text[place + 1] ?? " ");

// Marks inside links and code are no marks.
function skip(text, place) {
  const pattern = { "<": /<[^<>\n]+>/y, "`": /`[^`\n]+`/y }[text[place]];
  if (!pattern) return place;
  pattern.lastIndex = place;
  return pattern.test(text) ? pattern.lastIndex : place;
}

function codeSpan(text, at) {
  const end = skip(text, at);
  return end > at ? { node: h("code", {}, unescaped(text.slice(at + 1, end - 1))), end } : null;
}

function emojiAt(text, at) {
  EMOJI_NAME.lastIndex = at;
  const found = EMOJI_NAME.exec(text);
  const sign = found && emoji(found[1]);
  return sign ? { node: emojiNode(found[1], sign), end: EMOJI_NAME.lastIndex } : null;
}

export const emojiNode = (name, sign) =>
  h("span", { class: "emoji", role: "img", "aria-label": name.replaceAll("_", " ") }, sign);

function bareAddress(text, at) {
  BARE_ADDRESS.lastIndex = at;
  const found = BARE_ADDRESS.exec(text);
  if (!found || WORD.test(text[at - 1] ?? " ")) return null;
  const address = unescaped(found[0]);
  return { node: link(address, address), end: BARE_ADDRESS.lastIndex };
}

function reference(text, at, names) {
  const end = skip(text, at);
  if (end === at) return null;
  const inside = text.slice(at + 1, end - 1);
  const bar = inside.indexOf("|");
  const target = bar < 0 ? inside : inside.slice(0, bar);
  const label = bar < 0 ? "" : unescaped(inside.slice(bar + 1));
  return { node: referenceNode(target, label, names), end };
}

function referenceNode(target, label, names) {
  const id = target.slice(1);
  if (target[0] === "@") return mention(id, names, label);
  if (target[0] === "#") return h("span", { class: "mention" }, `#${label || names.channel(id)}`);
  if (target[0] === "!") return h("span", { class: "mention" }, `@${label || id.split("^")[0]}`);
  const address = unescaped(target);
  return link(address, label || address.replace(/^mailto:/, ""));
}

function mention(id, names, label = "") {
  const mine = id === names.me ? "mention mention-me" : "mention";
  return h("span", { class: mine }, `@${names.user(id) ?? (label || id)}`);
}

export const unescaped = (text) =>
  text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
