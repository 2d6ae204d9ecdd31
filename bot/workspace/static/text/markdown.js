// The markdown of Slack's `markdown` block: headings, lists, quotes, fenced code, tables,
// and within a line bold, italics, strike, code and links.
import { h, link } from "../dom.js";
import { withEmoji } from "./emoji.js";

const ITEM = /^(\s*)([-*+]|\d+[.)])\s+(.*)$/;
const RULE = /^\s*([-*_])(\s*\1){2,}\s*$/;
const DIVIDER = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;

export function markdown(text) {
  const lines = text.split("\n");
  const nodes = [];
  for (let at = 0; at < lines.length;) {
    const { node, end } = blockAt(lines, at);
    if (node) nodes.push(node);
    at = end;
  }
  return nodes;
}

// The block that starts at line `at`; a blank line is none.
function blockAt(lines, at) {
  const line = lines[at];
  if (!line.trim()) return { node: null, end: at + 1 };
  if (line.startsWith("```")) return fence(lines, at);
  const heading = /^(#{1,6})\s+(.*)$/.exec(line);
  if (heading) return { node: h("p", { class: "heading" }, inline(heading[2])), end: at + 1 };
  if (RULE.test(line)) return { node: h("hr"), end: at + 1 };
  if (line.startsWith(">")) return quote(lines, at);
  if (ITEM.test(line)) return list(lines, at);
  if (line.includes("|") && DIVIDER.test(lines[at + 1] ?? "x")) return table(lines, at);
  return paragraph(lines, at);
}

function fence(lines, at) {
  const close = lines.findIndex((line, n) => n > at && line.startsWith("```"));
  const end = close < 0 ? lines.length : close;
  return { node: h("pre", {}, lines.slice(at + 1, end).join("\n")), end: end + 1 };
}

function quote(lines, at) {
  const end = endOf(lines, at, (line) => line.startsWith(">"));
  const inside = lines
    .slice(at, end)
    .map((line) => line.replace(/^>\s?/, ""))
    .join("\n");
  return { node: h("blockquote", { dir: "auto" }, markdown(inside)), end };
}

function list(lines, at) {
  const end = endOf(lines, at, (line) => ITEM.test(line));
  const ordered = /^\s*\d/.test(lines[at]);
  const items = lines.slice(at, end).map((line) => {
    const [, space, , words] = ITEM.exec(line);
    const depth = Math.min(Math.floor(space.length / 2), 5);
    return h("li", { dir: "auto", class: `indent-${depth}` }, inline(words));
  });
  return { node: h(ordered ? "ol" : "ul", {}, items), end };
}

function table(lines, at) {
  const end = endOf(lines, at, (line) => line.includes("|"));
  const cells = (line) =>
    line
      .trim()
      .replace(/^\||\|$/g, "")
      .split("|")
      .map((cell) => cell.trim());
  const row = (line, tag) =>
    h(
      "tr",
      {},
      cells(line).map((cell) => h(tag, { dir: "auto" }, inline(cell))),
    );
  const body = lines.slice(at + 2, end).map((line) => row(line, "td"));
  const whole = h("table", {}, h("thead", {}, row(lines[at], "th")), h("tbody", {}, body));
  return { node: h("div", { class: "table", tabindex: "0" }, whole), end };
}

function paragraph(lines, at) {
  const plain = (line) => line.trim() && !/^(```|#{1,6}\s|>)/.test(line) && !ITEM.test(line);
  const end = Math.max(endOf(lines, at, plain), at + 1);
  return { node: h("p", { dir: "auto" }, inline(lines.slice(at, end).join("\n"))), end };
}

function endOf(lines, at, belongs) {
  let end = at;
  while (end < lines.length && belongs(lines[end])) end += 1;
  return end;
}

const INLINE = new RegExp(
  [
    "(?<escaped>\\\\[\\\\`*_~\\[\\]()#>|!-])",
    "`(?<code>[^`\\n]+)`",
    "\\*\\*(?<bold>[^*\\s](?:[^*]*[^*\\s])?)\\*\\*",
    "~~(?<strike>[^~\\n]+)~~",
    "\\*(?<star>[^*\\s](?:[^*\\n]*[^*\\s])?)\\*",
    "(?<![\\p{L}\\p{N}])_(?<under>[^_\\s](?:[^_\\n]*[^_\\s])?)_(?![\\p{L}\\p{N}])",
    "!?\\[(?<label>[^\\]\\n]*)\\]\\((?<target>[^()\\s]+)\\)",
    "<(?<auto>https?://[^<>\\s]+)>",
    "(?<bare>https?://[^\\s<>|]*[^\\s<>|.,;:!?'\")\\]])",
  ].join("|"),
  "gu",
);

function inline(text) {
  const nodes = [];
  let at = 0;
  for (const found of text.matchAll(INLINE)) {
    nodes.push(withEmoji(text.slice(at, found.index)), inlineNode(found.groups));
    at = found.index + found[0].length;
  }
  nodes.push(withEmoji(text.slice(at)));
  return nodes;
}

function inlineNode(found) {
  if (found.escaped) return found.escaped[1];
  if (found.code) return h("code", {}, found.code);
  if (found.bold) return h("strong", {}, inline(found.bold));
  if (found.strike) return h("s", {}, inline(found.strike));
  const slanted = found.star ?? found.under;
  if (slanted) return h("em", {}, inline(slanted));
  const address = found.target ?? found.auto ?? found.bare;
  return link(address, found.label || address);
}
