// Every sentence that this page says of its own accord.
export const WORDS = {
  gone: "The local workspace is not running. Start it again; this page reconnects by itself.",
  noBot: (bot) => `${bot} is not connected. What you ask is kept and answered once it is.`,
  footnote: "Local workspace on this machine: everyone here can act as anyone.",
  notLoaded: "The page did not get an answer from the local workspace. Try once more.",
  composer: (room) => `Message ${room}`,
  threadComposer: "Reply in the thread",
  attach: "Attach files",
  attached: (names) => `With it: ${names.join(", ")}`,
  keys: "Enter sends, Shift + Enter makes a new line",
  ephemeral: "Only visible to you",
  youAre: "You are",
  actAs: "Who do you want to be?",
  examples: "Example questions",
  jump: "Go to a channel or a person",
  nothingFound: "Nothing of that name here.",
  emptyDirect: (name) =>
    `This is the beginning of your direct messages with ${name}. Nobody else reads them.`,
  emptyBot: (name) =>
    `Ask ${name} anything here. It answers from what you may read; administrators can look it up in the audit.`,
  ownQuestions: "Questions that you could ask",
  emptyChannel: (name, bot) =>
    `This is the beginning of #${name}. Mention @${bot} with a question to be answered here.`,
  welcomeTitle: (bot) => `Meet ${bot}`,
  welcome: (bot, team, several) =>
    `${bot} answers from the documents of ${team}, cites every sentence, and says so when it does not know. Pick a question${several ? ": each is asked by somebody else, so each gets their own answer" : ", or ask your own"}.`,
  asksHere: (room) => `asks in #${room}`,
  asksDirect: "asks in a direct message",
  nobody: "Nobody any more",
  tabs: "Tabs of the app",
  emptyHome: "Nothing stands here yet.",
  noThread: "This thread is empty. Its first message may have been deleted.",
  unsupported: (kind) => `Unsupported block: ${kind}`,
  deleteTitle: "Delete this message?",
  deleteText: "It disappears for everyone in this room.",
  imageMissing: (alt) => `Image: ${alt}`,
};
