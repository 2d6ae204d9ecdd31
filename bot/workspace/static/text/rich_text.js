// Slack's rich_text block: sections, lists, quotes and preformatted text of styled pieces.
import { h, link } from "../dom.js";
import { dated } from "./dates.js";
import { emoji } from "./emoji.js";
import { emojiNode, mention } from "./mrkdwn.js";

const STYLES = { bold: "strong", italic: "em", strike: "s", underline: "u", code: "code" };
const MARKERS = { bullet: "ul", ordered: "ol" };

export const richText = (block, names) =>
  (block.elements ?? []).map((part) => partNode(part, names));

function partNode(part, names) {
  const inside = () => (part.elements ?? []).map((piece) => pieceNode(piece, names));
  if (part.type === "rich_text_preformatted") return h("pre", {}, inside());
  if (part.type === "rich_text_quote") return h("blockquote", { dir: "auto" }, inside());
  if (part.type === "rich_text_list") return list(part, names);
  return h("p", { dir: "auto" }, inside());
}

function list(part, names) {
  const props = { class: `indent-${part.indent ?? 0}` };
  if (part.style === "ordered" && part.offset) props.start = part.offset + 1;
  const items = (part.elements ?? []).map((item) =>
    h(
      "li",
      { dir: "auto" },
      (item.elements ?? []).map((piece) => pieceNode(piece, names)),
    ),
  );
  return h(MARKERS[part.style] ?? "ul", props, items);
}

function pieceNode(piece, names) {
  const bare = PIECES[piece.type]?.(piece, names) ?? `[${piece.type}]`;
  return Object.entries(STYLES)
    .filter(([style]) => piece.style?.[style])
    .reduce((inside, [, tag]) => h(tag, {}, inside), bare);
}

const PIECES = {
  text: (piece) => piece.text,
  link: (piece) => link(piece.url, piece.text || piece.url),
  user: (piece, names) => mention(piece.user_id, names),
  usergroup: (piece) => h("span", { class: "mention" }, `@${piece.usergroup_id}`),
  channel: (piece, names) => h("span", { class: "mention" }, `#${names.channel(piece.channel_id)}`),
  broadcast: (piece) => h("span", { class: "mention" }, `@${piece.range}`),
  color: (piece) => h("code", {}, piece.value),
  emoji: (piece) => {
    const sign = piece.unicode ? fromUnicode(piece.unicode) : emoji(piece.name);
    return sign ? emojiNode(piece.name, sign) : `:${piece.name}:`;
  },
  date: (piece) => {
    const words = dated(piece.timestamp, piece.format ?? "{date}") ?? piece.fallback ?? "";
    return piece.url ? link(piece.url, words) : h("time", { title: piece.fallback }, words);
  },
};

// "1f600-200d-..." as Slack writes code points.
function fromUnicode(points) {
  const numbers = points.split("-").map((point) => Number.parseInt(point, 16));
  return numbers.every((one) => one <= 0x10ffff) ? String.fromCodePoint(...numbers) : null;
}
