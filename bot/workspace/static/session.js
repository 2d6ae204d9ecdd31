// What the person at this page does, and what comes of it in the store.
//
// Loading a room and hearing of events go through one queue: an event that arrives while a
// room is being loaded is applied after it, and none is overwritten by older news.
import { listen, read, send } from "./api.js";
import { applied, withoutView } from "./events.js";
import { EMPTY } from "./store.js";

export class Session {
  #store;
  #announce;
  #queue = Promise.resolve();
  #stopListening = () => {};
  #named = "";

  constructor(store, announce) {
    this.#store = store;
    this.#announce = announce;
  }

  get #state() {
    return this.#store.state;
  }

  async go({ as, channel, thread }) {
    if (!this.#state.ready && !(await this.#loadWorkspace())) return;
    const person = this.#state.people.get(as);
    const known = person && !person.is_bot;
    const { opens } = this.#state;
    if (!known) await this.actAs(opens.as, opens.channel);
    else if (as !== this.#state.as) await this.actAs(as, channel, thread);
    else if (channel !== this.#state.channel) await this.openRoom(channel, thread);
    else this.openThread(thread);
  }

  async actAs(person, channel = this.#state.channel, thread = "") {
    await this.#become(person);
    await this.openRoom(channel, thread);
  }

  async #become(person) {
    this.#stopListening();
    const { rooms, channel, messages, thread, views, home, tab } = EMPTY;
    this.#store.set({ as: person, rooms, channel, messages, thread, views, home, tab });
    await Promise.all([this.#listen(person), this.#loadRooms()]);
  }

  // Opens the room, or where this person has no such room the one that everyone starts in.
  async openRoom(channel, thread = "") {
    const room = this.#roomOr(channel);
    if (!room) return;
    const own = room.id === channel ? thread : "";
    if (room.with === this.#state.bot.id) send("dm", { as: this.#state.as, with: room.with });
    const { messages, faults, note, tab } = EMPTY;
    this.#store.set({ channel: room.id, thread: own, messages, faults, note, tab });
    await this.#inTurn(() => this.#loadMessages());
    this.#seen(room.id);
  }

  #roomOr(channel) {
    const { rooms, opens } = this.#state;
    return (
      rooms.find((one) => one.id === channel) ??
      rooms.find((one) => one.id === opens.channel) ??
      rooms[0]
    );
  }

  async openOpening() {
    const { opens, rooms } = this.#state;
    if (rooms.some((room) => room.id === opens.channel)) return this.openRoom(opens.channel);
    return this.actAs(opens.as, opens.channel);
  }

  // The id of the direct message with somebody, which may have to be opened first; undefined
  // where that failed.
  async directWith(other) {
    const known = this.#state.rooms.find((room) => room.with === other);
    if (known) return known.id;
    const answer = await send("dm", { as: this.#state.as, with: other });
    if (!answer.ok) return void this.#fail("room", answer);
    await this.#loadRooms();
    return answer.channel;
  }

  openThread(thread) {
    this.#store.set({ thread, faults: { ...this.#state.faults, thread: "" } });
  }

  // Sends what stands in a message field; what begins with a slash is a command. Resolves to
  // the server's answer, so that the field keeps its text where sending failed.
  async say(place, text, thread = "", { as, channel, files = [] } = this.#state) {
    this.#clear(place);
    const command = /^\/\S+/.exec(text)?.[0];
    const answer = command
      ? await send("commands", { as, channel, command, text: text.slice(command.length).trim() })
      : await send("messages", {
          as,
          channel,
          text: text.trim(),
          ...(thread && { thread_ts: thread }),
          ...(files.length && { files }),
        });
    if (!answer.ok) this.#fail(place, answer);
    return answer;
  }

  // The question goes where the example says, even if its reader has moved on meanwhile.
  async ask(example) {
    const { as } = example;
    await this.#become(as);
    const channel = example.channel ?? (await this.directWith(this.#state.bot.id));
    if (!channel) return;
    await this.openRoom(channel);
    const answer = await this.say("room", example.text, "", { as, channel });
    const stillHere = as === this.#state.as && channel === this.#state.channel;
    if (!answer.ok || !stillHere) return;
    this.#store.set({ note: { channel, text: example.note } });
    if (example.channel && !example.text.startsWith("/")) this.openThread(answer.ts);
  }

  async edit(place, ts, text) {
    return this.#do(place, "edit", { channel: this.#state.channel, ts, text });
  }

  async remove(place, ts) {
    return this.#do(place, "delete", { channel: this.#state.channel, ts });
  }

  async react(place, ts, reaction) {
    return this.#do(place, "react", { channel: this.#state.channel, ts, reaction });
  }

  async openPreview(place, ts, url) {
    return this.#do(place, "previews/open", { channel: this.#state.channel, ts, url });
  }

  async shortcut(id, place = "room", ts = "") {
    const about = ts && { channel: this.#state.channel, message_ts: ts };
    return this.#do(place, "shortcuts", { shortcut: id, ...about });
  }

  // The Home tab of the bot, which draws it anew each time.
  async openTab(tab) {
    this.#store.set({ tab });
    if (tab !== "home") return;
    const { as } = this.#state;
    const known = await read("home", { as });
    if (known.ok && as === this.#state.as) this.#store.set({ home: known.view });
    await this.#do("room", "home", {});
  }

  // A click on something that the bot drew, in a message or in a modal.
  async act(place, origin, action) {
    return this.#do(place, "actions", { channel: this.#state.channel, ...origin, ...action });
  }

  async submit(view, values) {
    const answer = await this.#do("view", "views/submit", { view_id: view, values });
    return answer.errors ?? {};
  }

  async close(view) {
    this.#store.set({ views: withoutView(this.#state.views, view) });
    await send("views/close", { as: this.#state.as, view_id: view }); // gone already: as good
  }

  rate(key, value) {
    this.#store.set({ rated: new Map(this.#state.rated).set(key, value) });
  }

  async #do(place, path, body) {
    this.#clear(place);
    const answer = await send(path, { as: this.#state.as, ...body });
    if (!answer.ok && !answer.errors) this.#fail(place, answer);
    return answer;
  }

  #fail(place, answer) {
    const words = answer.say || answer.error;
    this.#store.set({ faults: { ...this.#state.faults, [place]: words } });
  }

  #clear(place) {
    if (this.#state.faults[place]) {
      this.#store.set({ faults: { ...this.#state.faults, [place]: "" } });
    }
  }

  // Resolves once events come (or cannot come now): a room that is loaded after that misses
  // nothing.
  #listen(person) {
    let lost = false;
    return new Promise((resolve) => {
      this.#stopListening = listen(person, {
        onLost: () => {
          lost = true;
          this.#store.set({ gone: true });
          resolve();
        },
        onOpen: () => {
          this.#store.set({ gone: false });
          if (lost) this.#inTurn(() => this.#reload());
          lost = false;
          resolve();
        },
        beforeRetry: () => this.#stayOrLeave(person),
        onEvent: (event) => this.#inTurn(() => this.#hear(event)),
      });
    });
  }

  // Who is not in the workspace any more since it was started again would never hear anything.
  async #stayOrLeave(person) {
    await this.#loadWorkspace();
    const { people, opens } = this.#state;
    if (!people.has(person)) await this.actAs(opens.as, opens.channel);
  }

  #inTurn(work) {
    this.#queue = this.#queue.then(work);
    return this.#queue;
  }

  #hear(event) {
    if (event.type === "room") return this.#loadRooms();
    const before = this.#state;
    this.#store.set(applied(before, event));
    if (event.type !== "message") return undefined;
    this.#announce(before, event);
    if (event.channel !== before.channel) return this.#loadRooms();
    this.#seen(event.channel);
    return undefined;
  }

  async #reload() {
    await this.#loadWorkspace();
    await this.#loadRooms();
    const { channel } = this.#state;
    const room = this.#roomOr(channel);
    if (room?.id !== channel) this.#store.set({ channel: room?.id ?? "", thread: "" });
    const { statuses, faults } = EMPTY;
    this.#store.set({ statuses, faults });
    await this.#loadMessages();
  }

  async #loadWorkspace() {
    const answer = await read("state");
    if (!answer.ok) {
      this.#store.set({ gone: true });
      return false;
    }
    const byId = (list) => new Map(list.map((one) => [one.id, one]));
    const { team, workspaces, bot, commands, shortcuts, examples, questions, opens } = answer;
    const signsInAt = answer.signs_in_at;
    const people = byId(answer.people.map((one, at) => ({ ...one, hue: at })));
    const channels = byId(answer.channels);
    const edition = this.#edition(answer);
    this.#store.set({
      ready: true,
      team,
      workspaces,
      bot,
      commands,
      shortcuts,
      examples,
      questions,
      opens,
      signsInAt,
      people,
      channels,
      edition,
    });
    return true;
  }

  #edition({ people, channels }) {
    const before = this.#named;
    this.#named = JSON.stringify([people, channels]);
    return this.#state.edition + Number(this.#named !== before);
  }

  async #loadRooms() {
    const { as } = this.#state;
    const answer = await read("rooms", { as });
    if (answer.ok && as === this.#state.as) this.#setRooms(answer.rooms);
  }

  async #loadMessages() {
    const { as, channel } = this.#state;
    const answer = await read("messages", { as, channel });
    if (as !== this.#state.as || channel !== this.#state.channel) return;
    if (!answer.ok) return void this.#fail("room", answer);
    this.#store.set({ messages: new Map(answer.messages.map((one) => [one.ts, one])) });
  }

  #seen(channel) {
    send("seen", { as: this.#state.as, channel });
    if (this.#state.rooms.some((room) => room.unread)) this.#setRooms(this.#state.rooms);
  }

  // What stands open is read, whatever was counted before the server knew of that.
  #setRooms(rooms) {
    const { channel } = this.#state;
    this.#store.set({
      rooms: rooms.map((room) => (room.id === channel ? { ...room, unread: 0 } : room)),
    });
  }
}
