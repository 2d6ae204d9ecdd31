// What an event of the server changes in the store: a pure function of both.

export function applied(state, event) {
  return CHANGES[event.type]?.(state, event) ?? {};
}

const CHANGES = {
  message(state, { channel, message }) {
    const byBot = message.bot_id || message.user === state.bot.id;
    const spoken = byBot && without(state.statuses, placeKey(channel, message.thread_ts));
    const quiet = { statuses: spoken || state.statuses };
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

export const placeKey = (channel, thread) => `${channel} ${thread ?? ""}`;

// Closing a modal shows the one below.
export function withoutView(views, id) {
  const at = views.findIndex((view) => view.id === id);
  return at < 0 ? views : views.slice(0, at);
}

function without(map, key) {
  if (!map.has(key)) return map;
  const rest = new Map(map);
  rest.delete(key);
  return rest;
}

const inOrder = (messages) => new Map([...messages].sort(([a], [b]) => Number(a) - Number(b)));
