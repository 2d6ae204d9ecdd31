// The emoji that a workplace bot is likely to write; others show their :name:.
const EMOJI = {
  white_check_mark: "✅", heavy_check_mark: "✔️", x: "❌", warning: "⚠️", no_entry: "⛔",
  question: "❓", grey_question: "❔", exclamation: "❗", information_source: "ℹ️",
  large_orange_diamond: "🔶", large_blue_diamond: "🔷", small_orange_diamond: "🔸",
  red_circle: "🔴", large_yellow_circle: "🟡", large_green_circle: "🟢",
  hourglass: "⌛", hourglass_flowing_sand: "⏳", mag: "🔍", mag_right: "🔎", eyes: "👀",
  thinking_face: "🤔", bulb: "💡", memo: "📝", page_facing_up: "📄", books: "📚", book: "📖",
  bookmark_tabs: "📑", link: "🔗", lock: "🔒", key: "🔑", shield: "🛡️", bell: "🔔",
  speech_balloon: "💬", wave: "👋", pray: "🙏", tada: "🎉", rocket: "🚀", sparkles: "✨",
  "+1": "👍", thumbsup: "👍", "-1": "👎", thumbsdown: "👎", clap: "👏", heart: "❤️",
  smile: "😄", slightly_smiling_face: "🙂", confused: "😕", cry: "😢", joy: "😂",
  point_right: "👉", arrow_right: "➡️", calendar: "📅", robot_face: "🤖", gear: "⚙️",
  construction: "🚧", fire: "🔥", star: "⭐", 100: "💯",
};

export const emoji = (name) => (Object.hasOwn(EMOJI, name) ? EMOJI[name] : null);

export const withEmoji = (text) =>
  text.replace(/:([a-z0-9_+-]+):/g, (whole, name) => emoji(name) ?? whole);
