// Runs a command. If it fails, says why, and ends the process whatever still goes on.

/** Runs `work`. `consequence` says what a failure means. */
export async function orExit(consequence, work) {
  try {
    await work();
  } catch (error) {
    console.error(`error: ${error.message}\n${consequence}`);
    process.exit(1);
  }
}
