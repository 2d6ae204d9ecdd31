// What the page knows, in one frozen value that is replaced, never changed: whoever watches
// a part of it compares by identity.

export class Store {
  #state;
  #watchers = [];
  #due = false;

  constructor(initial) {
    this.#state = Object.freeze(initial);
  }

  get state() {
    return this.#state;
  }

  set(changes) {
    this.#state = Object.freeze({ ...this.#state, ...changes });
    if (this.#due) return;
    this.#due = true;
    queueMicrotask(() => {
      this.#due = false;
      for (const tell of this.#watchers) tell();
    });
  }

  // Calls `show` now and whenever one of the values that `select` lists has become another.
  watch(select, show) {
    let last;
    const tell = () => {
      const now = select(this.#state);
      if (last && now.every((value, at) => Object.is(value, last[at]))) return;
      last = now;
      show(this.#state);
    };
    this.#watchers.push(tell);
    tell();
  }
}

export const EMPTY = {
  ready: false, // nothing of the workspace is known before the first answer
  gone: false, // the server does not answer
  team: { id: "", name: "" },
  workspaces: [], // {name, path}: all of them, where there are several
  bot: { id: "", name: "Vouch", connected: true },
  people: new Map(),
  channels: new Map(),
  edition: 0, // counts how often people or channels have become others
  commands: [],
  shortcuts: [],
  prompts: new Map(), // by channel: what the bot offers to ask there
  home: null, // what the bot shows this person in its Home tab
  tab: "messages", // of the direct message with the bot: "messages" or "home"
  examples: [],
  questions: {}, // by person: what they are offered to ask in the direct message with the bot
  opens: {},
  signsInAt: [], // origins of sites that one signs in to from here
  as: "",
  rooms: [],
  channel: "",
  thread: "", // ts of the root message whose thread is open
  messages: new Map(), // of the open room, by ts
  statuses: new Map(), // "channel thread" -> what the bot says it is doing
  faults: { room: "", thread: "", view: "" }, // the last failure, where it happened
  note: null, // {channel, text}: what an example shows
  rated: new Map(), // which of a message's feedback buttons was pressed
  views: [], // open modals, the topmost last
};

export const roomOf = (state) => state.rooms.find((room) => room.id === state.channel);

export const channelsOf = (state) => state.rooms.filter((room) => !room.is_im);

export const nameOf = (state, id) => {
  const person = state.people.get(id);
  return person ? person.real_name || person.name : id;
};

// A direct message is called by whom it is with.
export const titleOf = (state, room) => (room.is_im ? nameOf(state, room.with) : room.name);
