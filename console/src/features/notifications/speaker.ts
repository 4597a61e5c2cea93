import type { Lang } from '@busbar/contract'

/** The part of a browser's speech synthesis that is used. */
export interface Synthesis {
  speak(utterance: SpeechSynthesisUtterance): void
  cancel(): void
}

/** The most alarms that wait to be spoken; more would be read aloud long after they came. */
const waitingMax = 5
const locales: Readonly<Record<Lang, string>> = { cn: 'zh-CN', en: 'en-US' }

export interface Speaker {
  say(text: string, lang: Lang): void
  /** Stops immediately, and drops waiting texts. */
  stop(): void
}

/** Reads texts aloud, one after the other, without repeating one in its queue. */
export function createSpeaker(
  synthesis: Synthesis,
  write: (text: string) => SpeechSynthesisUtterance = (text) => new SpeechSynthesisUtterance(text),
): Speaker {
  let waiting: { readonly text: string; readonly lang: Lang }[] = []
  let spoken: SpeechSynthesisUtterance | undefined

  function next() {
    const first = waiting.shift()
    if (!first) return
    const utterance = write(first.text)
    utterance.lang = locales[first.lang]
    spoken = utterance
    const over = () => {
      if (spoken !== utterance) return
      spoken = undefined
      next()
    }
    utterance.onend = over
    utterance.onerror = over
    synthesis.speak(utterance)
  }

  return {
    say(text, lang) {
      if (text === '' || waiting.some((one) => one.text === text) || spoken?.text === text) return
      waiting = [...waiting, { text, lang }].slice(-waitingMax)
      if (!spoken) next()
    },
    stop() {
      waiting = []
      spoken = undefined
      synthesis.cancel()
    },
  }
}
