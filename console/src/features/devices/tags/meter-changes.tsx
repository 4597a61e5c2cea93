import { type RequestOf, tagSettings, type telemetry } from '@busbar/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { machineTagsKey } from '../../../entities/machine/machine-queries.ts'
import { call } from '../../../shared/api/client.ts'
import { formatExact, formatNumber } from '../../../shared/i18n/index.ts'
import { Button, IconButton } from '../../../shared/ui/button.tsx'
import { DatePicker } from '../../../shared/ui/date/date-picker.tsx'
import form from '../../../shared/ui/dialogs/form.module.css'
import { NumberField } from '../../../shared/ui/number-field/number-field.tsx'
import { parseNumber } from '../../../shared/ui/number-field/number-text.ts'
import css from './tags.module.css'
import { useTagsText } from './tags-text.ts'

const decimals = 6

/** A reading with all decimals that were told. */
const formatReading = (reading: number) =>
  formatNumber(reading, Math.min(decimals, String(reading).split('.')[1]?.length ?? 0))

/**
 * The replaced meters of a variable, and the fields to tell another one. Each change is saved at once, so this is a form
 * beside the form of the variable.
 */
export function MeterChanges({ machineId, tag }: { machineId: number; tag: telemetry.Tag }) {
  const t = useTagsText().meters
  const client = useQueryClient()
  const [at, setAt] = useState<number | null>(null)
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('0')
  const [openedAt] = useState(() => Date.now())
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

  function submit(event: FormEvent) {
    event.preventDefault()
    if (isWhole && !add.isPending) add.mutate({ ...of, at, from: last, to: first })
  }

  return (
    <details className={css.meters}>
      <summary className={css.openName}>{t.title}</summary>
      <form className={css.metersForm} onSubmit={submit}>
        <p className={form.hint}>{t.hint}</p>
        {known.length > 0 && (
          <ul>
            {known.map((one) => (
              <li key={one.at}>
                {t.one(formatExact(one.at), formatReading(one.from), formatReading(one.to))}
                <IconButton
                  icon="trash"
                  size="small"
                  label={t.remove}
                  disabled={remove.isPending}
                  onClick={() => remove.mutate(one.at)}
                />
              </li>
            ))}
          </ul>
        )}
        <DatePicker label={t.at} granularity="second" value={at} max={openedAt} onChange={setAt} />
        <div className={css.pair}>
          <NumberField label={t.from} decimals={decimals} step={1} value={from} onChange={setFrom} />
          <NumberField label={t.to} decimals={decimals} step={1} value={to} onChange={setTo} />
        </div>
        <Button type="submit" busy={add.isPending} disabled={!isWhole}>
          {t.add}
        </Button>
      </form>
    </details>
  )
}
