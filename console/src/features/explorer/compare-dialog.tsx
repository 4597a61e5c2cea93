import { type FormEvent, useState } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { NumberField } from '../../shared/ui/number-field/number-field.tsx'
import { Select } from '../../shared/ui/select/select.tsx'
import css from './explorer.module.css'
import { useExplorerText } from './explorer-text.ts'
import { compareMs } from './search.ts'

const units = { hour: 3_600_000, day: 86_400_000 } as const
type Unit = keyof typeof units

interface CompareDialogProps {
  /** The current distance. */
  first: number | undefined
  onApply: (byMs: number) => void
  onClose: () => void
}

/** Chooses the offset of the compared period. */
export function CompareDialog({ first, onApply, onClose }: CompareDialogProps) {
  const { app } = useText()
  const t = useExplorerText().compare
  const isDays = first === undefined || first % units.day === 0
  const [unit, setUnit] = useState<Unit>(isDays ? 'day' : 'hour')
  const [length, setLength] = useState(String(first ? first / units[isDays ? 'day' : 'hour'] : 30))
  const [isWrong, setWrong] = useState(false)
  const daysMax = compareMs.max / units.day

  function send(event: FormEvent) {
    event.preventDefault()
    const byMs = Math.round(Number(length) * units[unit])
    if (byMs >= units.hour && byMs <= compareMs.max) onApply(byMs)
    else setWrong(true)
  }

  return (
    <Dialog
      title={t.title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{app.cancel}</Button>
          <Button kind="primary" type="submit" form="compare">
            {t.apply}
          </Button>
        </>
      }
    >
      <form id="compare" className={css.pair} onSubmit={send}>
        <NumberField
          label={t.length}
          value={length}
          onChange={(next) => {
            setWrong(false)
            setLength(next)
          }}
          decimals={0}
          min={1}
          max={compareMs.max / units[unit]}
          error={isWrong ? t.wrong(daysMax) : undefined}
        />
        <Select
          label={t.unit}
          choices={(['hour', 'day'] as const).map((value) => ({ value, label: t.units[value] }))}
          value={unit}
          onChange={setUnit}
        />
      </form>
    </Dialog>
  )
}
