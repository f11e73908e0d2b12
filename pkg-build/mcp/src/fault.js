// An error whose message is meant for the model: it says what happened, and what to change or do next.

export class Fault extends Error {}
