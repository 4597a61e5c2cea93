import type { Page } from 'playwright-core'

const waitMs = 20_000

/** A text that a page gave its browser to speak, and how that ended. */
export interface Spoken {
  readonly text: string
  readonly lang: string
  /** `end`, or the error of a browser without voices; empty: it has not ended. */
  readonly outcome: string
}

/** Runs in each page: notes what is spoken, and lets the browser speak. */
const noteIt = `
  window.spoken = []
  const speak = SpeechSynthesis.prototype.speak
  SpeechSynthesis.prototype.speak = function (utterance) {
    const note = { text: utterance.text, lang: utterance.lang, outcome: '' }
    window.spoken.push(note)
    const over = (outcome) => {
      note.outcome = outcome
      dispatchEvent(new Event('busbar-spoken'))
    }
    utterance.addEventListener('end', () => over('end'))
    utterance.addEventListener('error', ({ error }) => over(error))
    speak.call(this, utterance)
  }`

/** Notes what a page speaks from its next opening on. The browser's own speech synthesis still gets every text. */
export async function noteSpoken(page: Page): Promise<void> {
  await page.addInitScript(noteIt)
}

const waitScript = (count: number) => `
  new Promise((resolve, reject) => {
    const see = () => {
      if (window.spoken.filter(({ outcome }) => outcome !== '').length < ${count}) return
      removeEventListener('busbar-spoken', see)
      resolve(window.spoken)
    }
    addEventListener('busbar-spoken', see)
    see()
    setTimeout(() => reject(new Error('Spoken: ' + JSON.stringify(window.spoken))), ${waitMs})
  })`

/** Waits until a page has spoken this many texts since it was opened, and the browser has finished them. */
export function waitForSpoken(page: Page, count: number): Promise<readonly Spoken[]> {
  return page.evaluate<readonly Spoken[]>(waitScript(count))
}
