/// Ends the program with a message and an exit code: 1 failed, 2 misused.
export class Failure extends Error {
  constructor(message, code = 1) {
    super(message);
    this.code = code;
  }
}

/// What went wrong without the stack and the logs that Playwright appends.
export function firstLine(error) {
  return error.message.split('\n')[0];
}
