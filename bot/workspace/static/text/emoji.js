// The emoji that the bot writes; others show their :name:.
const EMOJI = {
  white_check_mark: "✅",
  x: "❌",
  warning: "⚠️",
  grey_question: "❔",
  mag: "🔍",
  large_orange_diamond: "🔶",
  large_yellow_circle: "🟡",
  hourglass_flowing_sand: "⏳",
  lock: "🔒",
  speech_balloon: "💬",
  wave: "👋",
};

export const emoji = (name) => (Object.hasOwn(EMOJI, name) ? EMOJI[name] : null);

export const withEmoji = (text) =>
  text.replace(/:([a-z0-9_+-]+):/g, (whole, name) => emoji(name) ?? whole);
