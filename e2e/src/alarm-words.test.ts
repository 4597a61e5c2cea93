import { machines, usualForm } from '@busbar/contract'
import { ZoneClock } from '@busbar/platform/kernel/files/zone-clock.ts'
import { formatAlarms, formatEvents } from '@busbar/platform/modules/alarms/alarm-csv.ts'
import { formatAlarmSms, formatDigestSms } from '@busbar/platform/modules/notifications/alarm-texts.ts'
import { expect, it } from 'vitest'
import { linkWords } from './alarm-link-screens.ts'
import { texts } from './texts.ts'

/* An alarm has the same words in the console, in its files, in its messages, and on the page of a mail. */

const row = {
  ...{ alarmId: 1, machineId: 1, machineCode: '1', machineName: 'P1', key: 'A', ruleId: null, tagId: null },
  ...{ tag: null, unit: '', text: 'Hot', value: null, limit: null, count: 1, state: 'active' as const },
  ...{ raisedAt: 0, receivedAt: 0, clearedAt: null, confirmed: false, confirmedBy: null, confirmedAt: null },
  ...{ note: '', shelvedUntil: null, outOfService: false, mayShelve: true },
}
const timeZone = 'UTC'
const readerOf = (lang: 'cn' | 'en') => ({ lang, clock: new ZoneClock(timeZone), form: usualForm })

it('counts one alarm of a digest in the singular', () => {
  const lines = [{ text: 'Hot', level: 'major', count: 1 }] as const
  const digest = { machine: 'P1', total: 1, worst: 'major', lines, more: 0 } as const
  expect(formatDigestSms(digest, { lang: 'en', timeZone })).toMatch(/^P1: 1 alarm,/)
})

for (const lang of ['cn', 'en'] as const) {
  const t = texts[lang]

  it.each(machines.alarmLevels)(`names the level %s of an alarm with one word in ${lang}`, (level) => {
    const word = t.machines.alarms.levels[level]
    const { csv } = formatAlarms([{ ...row, level, stage: 'normal' }], readerOf(lang))
    expect(csv).toContain(word)
    expect(linkWords[lang].alarm.levels[level]).toBe(word)
    const sms = { machine: 'P1', level, text: 'Hot', at: new Date(0), value: '', limit: '' }
    expect(formatAlarmSms(sms, { lang, timeZone })).toContain(word)
  })

  it(`names the states and events of an alarm in ${lang} as the console does`, () => {
    for (const [stage, word] of Object.entries(t.alarms.stages) as [keyof typeof t.alarms.stages, string][])
      expect(formatAlarms([{ ...row, level: 'info', stage }], readerOf(lang)).csv).toContain(word)
    for (const [kind, word] of Object.entries(t.alarms.events) as [keyof typeof t.alarms.events, string][]) {
      const event = { id: 1, kind, at: 0, by: null, isContact: false, until: null }
      expect(formatEvents([{ ...row, ...event, level: null }], readerOf(lang)).csv).toContain(word)
    }
  })
}
