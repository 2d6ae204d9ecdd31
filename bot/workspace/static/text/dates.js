// When something was said, in the reader's own time zone and words.
const TIME = { hour: "numeric", minute: "2-digit" };
const DAY = { weekday: "long", year: "numeric", month: "long", day: "numeric" };

const dateOf = (ts) => new Date(Number(ts) * 1000);
const written = (date, format) => new Intl.DateTimeFormat([], format).format(date);

export const clock = (ts) => written(dateOf(ts), TIME);
export const fullTime = (ts) =>
  `${written(dateOf(ts), DAY)}, ${written(dateOf(ts), { ...TIME, second: "2-digit" })}`;

export function dayOf(ts) {
  const days = Math.round((midnight(dateOf(ts)) - midnight(new Date())) / 86_400_000);
  return { "-1": "Yesterday", 0: "Today" }[days] ?? written(dateOf(ts), DAY);
}

const midnight = (date) => new Date(date.getFullYear(), date.getMonth(), date.getDate());
