/** Waits until the condition holds; the error names the condition. */
export async function awaitThat(what: string, holds: () => boolean | Promise<boolean>, secondsMax = 60): Promise<void> {
  for (let tries = 0; tries < secondsMax * 20; tries += 1) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`in ${secondsMax} s it has not come to be that ${what}`)
}
