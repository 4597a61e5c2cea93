import { type Lang, notifications, signSms, smsSegments } from '@busbar/contract'
import { alarmSms } from '@busbar/contract/alarm-sms'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call } from '../../shared/api/client.ts'
import { formatNumber, useLang, useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { formatTagValue } from '../../shared/ui/data/tag-value.ts'
import { TextField } from '../../shared/ui/field.tsx'
import type { Form } from '../../shared/ui/form/use-form.ts'
import { useNoteChange } from '../../shared/ui/kit/dialog-box.ts'
import { Row, Stack } from '../../shared/ui/layout/layout.tsx'
import { parseNumber } from '../../shared/ui/number-field/number-text.ts'
import css from './rule-form.module.css'
import { type RuleInput, readConditionInput } from './rule-input.ts'
import type { TagsById } from './rule-words.ts'
import { useLatestValue } from './use-latest-value.ts'

const places = ['value', 'limit', 'unit', 'tag', 'machine'] as const
const languages = ['cn', 'en'] as const

/** As long as the time in an SMS. */
const anyTime = '01/01 00:00'

/** As long as a link that confirms an alarm: 256 random bits after the page. */
const anyLink = () => `${location.origin}/alarm/link/${'x'.repeat(43)}`

const signatureQuery = {
  queryKey: ['notifications', 'signature'],
  queryFn: () => call(notifications.getUserMsgConfig, {}, { noNotice: true }),
} as const

/** Whether the SMS of this device contain a link that confirms the alarm; never for another owner's device. */
const linkQuery = (machineId: number, machineCode: string) => ({
  queryKey: ['notifications', 'link', machineId] as const,
  queryFn: async () => {
    const { list } = await call(notifications.listPersonalMachine, { blur: machineCode }, { noNotice: true })
    return list.some((row) => row.machineId === machineId && row.linkFlag === 1)
  },
})

interface RuleTextsProps {
  machineId: number
  machineCode: string
  byId: TagsById
  form: Form<RuleInput>
}

/** The texts of an alarm in both languages, with placeholders for values known when it is raised. */
export function RuleTexts({ machineId, machineCode, byId, form }: RuleTextsProps) {
  const text = useText()
  const t = text.alarmRules.editor
  const [last, setLast] = useState<(typeof languages)[number]>(useLang())
  const fields = { cn: useRef<HTMLInputElement>(null), en: useRef<HTMLInputElement>(null) }
  const noteChange = useNoteChange()
  const { values } = form
  const tag = values.tagId === null || values.kind === 'away' ? undefined : byId.get(values.tagId)
  const live = useLatestValue(machineId, tag?.tagId ?? null)

  function insert(place: string) {
    const field = fields[last].current
    const before = values[last]
    const from = field?.selectionStart ?? before.length
    const to = field?.selectionEnd ?? before.length
    const word = `{${place}}`
    noteChange()
    form.set(last, before.slice(0, from) + word + before.slice(to))
    field?.focus()
    // The field has its new text after this render.
    requestAnimationFrame(() => field?.setSelectionRange(from + word.length, from + word.length))
  }

  const limit =
    values.kind === 'threshold'
      ? parseNumber(values.limit)
      : values.kind === 'away'
        ? readConditionInput(values, byId).minutes
        : undefined
  const shown: Readonly<Record<string, string>> = {
    value: tag ? formatTagValue(live?.value, tag, text.machines.bool).text : '—',
    limit: limit === undefined ? '—' : formatNumber(limit),
    unit: tag?.unit ?? '',
    tag: tag?.name || tag?.tag || '—',
    machine: machineCode,
  }
  const { data: config } = useQuery(signatureQuery)
  const { data: hasLink = false } = useQuery(linkQuery(machineId, machineCode))
  const withUnit = (value: string | undefined) =>
    value === undefined || value === '—' ? '' : `${value} ${shown.unit}`.trim()
  // People read the text of the other language where theirs has none.
  const textFor = (lang: Lang) =>
    values[lang].trim() === '' ? values[lang === 'cn' ? 'en' : 'cn'] : values[lang]
  // Longer for a longer value or name; the text is most of it.
  const priceOf = (lang: Lang) => {
    const said = { machine: machineCode, level: values.level, text: filled(textFor(lang)).trim() }
    const sms = alarmSms(
      {
        ...said,
        value: withUnit(shown.value),
        // Minutes of absence are in the text only.
        limit: values.kind === 'away' ? '' : withUnit(shown.limit),
        ...(hasLink && { link: anyLink() }),
      },
      lang,
      anyTime,
    )
    return smsSegments(signSms(config?.signature ?? '', sms))
  }
  const filled = (words: string) => words.replace(/\{(\w+)\}/g, (all, name: string) => shown[name] ?? all)

  return (
    <>
      {languages.map((lang) => (
        <TextField
          key={lang}
          label={t[lang]}
          lang={lang === 'cn' ? 'zh-CN' : 'en'}
          ref={fields[lang]}
          onFocus={() => setLast(lang)}
          {...form.text(lang)}
        />
      ))}
      <Row role="group" aria-label={t.insertInto(t[last])} gap={6} wraps tone="quiet" size={12}>
        {t.insertInto(t[last])}
        {places.map((place) => (
          <Button key={place} size="small" icon="plus" onClick={() => insert(place)}>
            {t.places[place]}
          </Button>
        ))}
      </Row>
      <Stack as="dl" surface="sunken" pad="10 12" gap={2} tone="text" size="13/20" className={css.preview}>
        <dt>{t.preview}</dt>
        {languages.map((lang) => (
          <dd key={lang} lang={lang === 'cn' ? 'zh-CN' : 'en'}>
            {filled(textFor(lang)).trim() || '—'}
            {config && textFor(lang).trim() !== '' && (
              <span className={css.price}>{t.price(formatNumber(priceOf(lang)))}</span>
            )}
          </dd>
        ))}
      </Stack>
    </>
  )
}
