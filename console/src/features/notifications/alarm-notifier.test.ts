import { expect, test } from 'vitest'
import type { AlarmEvent } from '../../shared/api/push-messages.ts'
import { createAlarmNotifier, type NotifierPlace } from './alarm-notifier.ts'
import { createSpeaker } from './speaker.ts'

interface FakeUtterance {
  text: string
  lang: string
  onend: (() => void) | null
  onerror: (() => void) | null
}

/** A browser's voice: the texts it got, and whether it was stopped. */
function fakeVoice() {
  const said: FakeUtterance[] = []
  let cancelled = 0
  const speaker = createSpeaker(
    {
      speak: (utterance) => said.push(utterance as unknown as FakeUtterance),
      cancel: () => cancelled++,
    },
    (text) => ({ text, lang: '', onend: null, onerror: null }) as unknown as SpeechSynthesisUtterance,
  )
  return { said, speaker, cancelled: () => cancelled }
}

const spoken = (text: string, isSpoken = true): AlarmEvent => ({
  ...{ alarmId: 7, machineId: 3, level: 'critical', text, isSpoken },
})

function startNotifier(change: Partial<NotifierPlace> = {}) {
  const voice = fakeVoice()
  const shown: string[] = []
  const notifier = createAlarmNotifier({
    readChoice: async () => ({ voice: 1, browser: 1 }),
    lang: () => 'cn',
    speaker: voice.speaker,
    isHidden: () => true,
    show: ({ text }) => shown.push(text),
    ...change,
  })
  return { ...voice, shown, notifier }
}

test('critical alarms are spoken one at a time, in the reader’s language', async () => {
  const { said, notifier } = startNotifier()
  await notifier.notify(spoken('排气温度过高'))
  await notifier.notify(spoken('油位过低'))
  expect(said.map(({ text, lang }) => [text, lang])).toEqual([['排气温度过高', 'zh-CN']])
  said[0]?.onend?.()
  expect(said.map(({ text }) => text)).toEqual(['排气温度过高', '油位过低'])
  said[1]?.onerror?.()
  await notifier.notify(spoken('排气温度过高'))
  expect(said).toHaveLength(3)
})

test('the same text is not said again while it waits, and a flood leaves only the latest waiting', async () => {
  const { said, notifier } = startNotifier()
  await notifier.notify(spoken('first'))
  for (const text of ['a', 'a', 'b', 'c', 'd', 'e', 'f']) await notifier.notify(spoken(text))
  for (let place = 0; place < said.length; place++) said[place]?.onend?.()
  expect(said.map(({ text }) => text)).toEqual(['first', 'b', 'c', 'd', 'e', 'f'])
})

test('speech and notifications stay off unless the person turned them on', async () => {
  const { said, shown, notifier } = startNotifier({ readChoice: async () => ({ voice: 0, browser: 0 }) })
  await notifier.notify(spoken('quiet'))
  await notifier.notify(spoken('quiet', false))
  expect([said, shown]).toEqual([[], []])
})

test('a notification of the browser is shown only while the page is in the background', async () => {
  const there = startNotifier({ isHidden: () => false })
  await there.notifier.notify(spoken('seen', false))
  expect(there.shown).toEqual([])
  const away = startNotifier()
  await away.notifier.notify(spoken('unseen', false))
  expect([away.shown, away.said]).toEqual([['unseen'], []])
})

test('a signed-out page stays silent, even about an alarm just before', async () => {
  let answer: (choice: { voice: 1; browser: 1 }) => void = () => undefined
  const { said, shown, notifier, cancelled } = startNotifier({
    readChoice: () => new Promise((resolve) => (answer = resolve)),
  })
  const told = notifier.notify(spoken('too late'))
  notifier.stop()
  answer({ voice: 1, browser: 1 })
  await told
  expect([said, shown, cancelled()]).toEqual([[], [], 1])
})
