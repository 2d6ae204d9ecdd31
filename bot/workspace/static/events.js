// What an event of the server changes in the store: a pure function of both.

const TYPING_LASTS_MS = 5000;

export function applied(state, event) {
  return CHANGES[event.type]?.(state, event) ?? {};
}

const CHANGES = {
  message(state, { channel, message }) {
    const quiet = {
      typing: without(state.typing, placeKey(channel, message.thread_ts, message.user)),
      statuses:
        message.bot_id || message.user === state.bot.id
          ? without(state.statuses, placeKey(channel, message.thread_ts))
          : state.statuses,
    };
    if (channel !== state.channel) return quiet;
    return { ...quiet, messages: inOrder(new Map(state.messages).set(message.ts, message)) };
  },

  message_changed(state, { channel, message }) {
    if (channel !== state.channel) return {};
    return { messages: inOrder(new Map(state.messages).set(message.ts, message)) };
  },

  message_deleted(state, { channel, ts }) {
    return channel === state.channel ? { messages: without(state.messages, ts) } : {};
  },

  status(state, { channel, thread_ts: thread, text }) {
    const key = placeKey(channel, thread);
    const statuses = text ? new Map(state.statuses).set(key, text) : without(state.statuses, key);
    return { statuses };
  },

  typing(state, { channel, thread_ts: thread, user }) {
    if (user === state.as) return {};
    const until = Date.now() + TYPING_LASTS_MS;
    return { typing: new Map(state.typing).set(placeKey(channel, thread, user), until) };
  },

  view(state, { view }) {
    const known = state.views.some((one) => one.id === view.id);
    return {
      faults: { ...state.faults, view: "" },
      views: known
        ? state.views.map((one) => (one.id === view.id ? view : one))
        : [...(view.previous_view_id ? state.views : []), view],
    };
  },

  view_closed(state, { view_id: id }) {
    return { views: withoutView(state.views, id) };
  },

  prompts(state, { channel, prompts }) {
    return { prompts: new Map(state.prompts).set(channel, prompts) };
  },

  home(_, { view }) {
    return { home: view };
  },

  bot(state, { connected }) {
    return { bot: { ...state.bot, connected } };
  },
};

export const placeKey = (channel, thread, user) =>
  [channel, thread ?? "", user].filter((part) => part !== undefined).join(" ");

// Closing a modal shows the one below, unless it takes the whole stack along.
export function withoutView(views, id) {
  const at = views.findIndex((view) => view.id === id);
  if (at < 0) return views;
  return views[at].clear_on_close ? [] : views.slice(0, at);
}

function without(map, key) {
  if (!map.has(key)) return map;
  const rest = new Map(map);
  rest.delete(key);
  return rest;
}

const inOrder = (messages) => new Map([...messages].sort(([a], [b]) => Number(a) - Number(b)));
