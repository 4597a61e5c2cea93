import { type RequestOf, tagSettings, type telemetry } from '@busbar/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatMoment } from '../../../entities/history/history-text.ts'
import { machineTagsKey } from '../../../entities/machine/machine-queries.ts'
import { call } from '../../../shared/api/client.ts'
import { formatNumber } from '../../../shared/i18n/index.ts'
import { Button, IconButton } from '../../../shared/ui/button.tsx'
import { DatePicker } from '../../../shared/ui/date/date-picker.tsx'
import form from '../../../shared/ui/dialogs/form.module.css'
import { TextField } from '../../../shared/ui/field.tsx'
import { parseNumber } from '../../../shared/ui/number-field/number-text.ts'
import css from './tags.module.css'
import { useTagsText } from './tags-text.ts'

/** The replaced meters of a variable, and the fields to tell another one; each change is saved at once. */
export function MeterChanges({ machineId, tag }: { machineId: number; tag: telemetry.Tag }) {
  const t = useTagsText().meters
  const client = useQueryClient()
  const [at, setAt] = useState<number | null>(null)
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('0')
  const [known, setKnown] = useState(tag.settings?.resets ?? [])
  const of = { machineId, tagId: tag.tagId }
  const refresh = () => client.invalidateQueries({ queryKey: machineTagsKey(machineId) })
  const add = useMutation({
    mutationFn: (change: RequestOf<typeof tagSettings.setTagReset>) => call(tagSettings.setTagReset, change),
    onSuccess: (_, { at, from, to }) => {
      setKnown((before) =>
        [...before.filter((one) => one.at !== at), { at, from, to }].sort((one, other) => one.at - other.at),
      )
      setAt(null)
      setFrom('')
      return refresh()
    },
  })
  const remove = useMutation({
    mutationFn: (at: number) => call(tagSettings.removeTagReset, { ...of, at }),
    onSuccess: (_, at) => {
      setKnown((before) => before.filter((one) => one.at !== at))
      return refresh()
    },
  })
  const [last, first] = [parseNumber(from), parseNumber(to)]
  const isWhole = at !== null && last !== undefined && first !== undefined
  return (
    <details>
      <summary className={css.openName}>{t.title}</summary>
      <p className={form.hint}>{t.hint}</p>
      {known.length > 0 && (
        <ul className={css.meters}>
          {known.map((one) => (
            <li key={one.at}>
              {t.one(formatMoment(one.at), formatNumber(one.from), formatNumber(one.to))}
              <IconButton
                icon="close"
                label={t.remove}
                disabled={remove.isPending}
                onClick={() => remove.mutate(one.at)}
              />
            </li>
          ))}
        </ul>
      )}
      <DatePicker label={t.at} granularity="second" value={at} max={Date.now()} onChange={setAt} />
      <div className={css.pair}>
        <TextField label={t.from} inputMode="decimal" value={from} onChange={setFrom} />
        <TextField label={t.to} inputMode="decimal" value={to} onChange={setTo} />
      </div>
      <Button
        busy={add.isPending}
        disabled={!isWhole}
        onClick={() => isWhole && add.mutate({ ...of, at, from: last, to: first })}
      >
        {t.add}
      </Button>
    </details>
  )
}
