import { access, limits, textWidth } from '@busbar/contract'
import { type FormEvent, useState } from 'react'
import { call } from '../../shared/api/client.ts'
import { type Text, useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { TextField } from '../../shared/ui/field.tsx'
import { isSpecialInNames } from '../../shared/ui/text-problems.ts'
import { useAdministration } from './administration.ts'
import { Locked, Setting } from './setting.tsx'
import css from './settings.module.css'

/** What everybody sees who adds the machine. */
export function SharedNameSetting() {
  const { machine, limits, run } = useAdministration()
  const t = useText().access
  const former = machine.sharedName
  // Undefined follows what the platform says; typing begins a draft.
  const [draft, setDraft] = useState<string>()
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const text = draft ?? former
  const name = text.trim()

  const set = (machineName: string) => () =>
    call(access.updateMachineInfo, { machineCode: machine.code, machineName })

  async function submit(event: FormEvent) {
    event.preventDefault()
    const problem = findNameProblem(name, t.settings)
    setError(problem)
    if (problem || name === former) return
    setBusy(true)
    const isDone = await run({ call: set(name), done: t.undo.renamed(name), undo: set(former) })
    setBusy(false)
    if (isDone) setDraft(undefined)
  }

  if (limits.mode) {
    return (
      <Setting name={t.settings.name} hint={t.settings.nameHint}>
        <p>{former}</p>
        <Locked>{t.lacks.settings}</Locked>
      </Setting>
    )
  }
  return (
    <Setting name={t.settings.name} hint={t.settings.nameHint}>
      <form className={css.nameForm} noValidate onSubmit={(event) => void submit(event)}>
        <TextField
          label={t.settings.name}
          autoComplete="off"
          placeholder={t.settings.namePlaceholder}
          value={text}
          error={error}
          onChange={(next) => {
            setDraft(next)
            setError(undefined)
          }}
        />
        <Button type="submit" busy={isBusy} disabled={name === former}>
          {t.settings.save}
        </Button>
      </form>
    </Setting>
  )
}

/** What is wrong with a machine's name (decision 27); undefined where nothing is. */
export function findNameProblem(name: string, words: Text['access']['settings']): string | undefined {
  const width = textWidth(name)
  if (width === 0) return words.nameEmpty
  if (width > limits.machineNameMax) return words.nameTooLong(width, limits.machineNameMax)
  return isSpecialInNames(name) ? words.nameSpecial : undefined
}
