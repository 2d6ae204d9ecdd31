// Dates as Slack's <!date^...> writes them, in the reader's own time zone.
const FORMATS = {
  date_num: { year: "numeric", month: "2-digit", day: "2-digit" },
  date: { year: "numeric", month: "long", day: "numeric" },
  date_short: { year: "numeric", month: "short", day: "numeric" },
  date_long: { weekday: "long", year: "numeric", month: "long", day: "numeric" },
  time: { hour: "numeric", minute: "2-digit" },
  time_secs: { hour: "numeric", minute: "2-digit", second: "2-digit" },
};

// `seconds` since 1970 in the words of `form`, or null where that is no date.
export function dated(seconds, form) {
  const date = new Date(Number(seconds) * 1000);
  if (Number.isNaN(date.getTime())) return null;
  return form.replace(/\{(\w+?)(_pretty)?\}/g, (whole, name, pretty) => {
    const near = pretty && nearDay(date);
    if (near) return near;
    return FORMATS[name] ? new Intl.DateTimeFormat([], FORMATS[name]).format(date) : whole;
  });
}

export const clock = (ts) => dated(ts, "{time}");
export const dayOf = (ts) => dated(ts, "{date_long_pretty}");
export const fullTime = (ts) => dated(ts, "{date_long}, {time_secs}");

function nearDay(date) {
  const days = Math.round((midnight(date) - midnight(new Date())) / 86_400_000);
  return { "-1": "Yesterday", 0: "Today", 1: "Tomorrow" }[days];
}

const midnight = (date) => new Date(date.getFullYear(), date.getMonth(), date.getDate());
