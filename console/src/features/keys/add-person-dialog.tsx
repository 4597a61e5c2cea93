import { access, applications } from '@busbar/contract'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useRef, useState } from 'react'
import { findTimeProblem, type TimeChoice, toMinutes } from '../../entities/access/visit-time.ts'
import { VisitTimeField } from '../../entities/access/visit-time-field.tsx'
import { type AddFailure, judgeAddFailure } from '../../entities/account/account-form.ts'
import { isOpen } from '../../entities/application/audit-state.ts'
import { PersonField } from '../../entities/person/person-field.tsx'
import {
  emptyPerson,
  findLostFriend,
  findPersonProblem,
  formatPerson,
  type PersonInput,
  toPerson,
} from '../../entities/person/person-input.ts'
import { call } from '../../shared/api/client.ts'
import { useLang, useText } from '../../shared/i18n/index.ts'
import { useDraft } from '../../shared/session/drafts.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import css from '../../shared/ui/dialogs/form.module.css'
import { Icon } from '../../shared/ui/icon.tsx'
import { showToast } from '../../shared/ui/toast/toast-store.ts'
import { ToggleGroup } from '../../shared/ui/toggle-group/toggle-group.tsx'
import { useAdministration } from './administration.ts'

interface AddPersonDialogProps {
  kind: 'visitor' | 'bkey'
  /** Filled in to begin with. */
  account?: string | undefined
  onClose: () => void
}

/** Gives a right to a friend or to an account. An error stands beside its field, and the input stays. */
export function AddPersonDialog({ kind, account: first = '', onClose }: AddPersonDialogProps) {
  const { machineId, isAkey, limits, refresh } = useAdministration()
  const text = useText()
  const { access: words, app } = text
  const t = words.add
  const lang = useLang()
  const formId = useId()
  const form = useRef<HTMLFormElement>(null)
  const [person, setPerson] = useState<PersonInput>({ ...emptyPerson, text: first })
  useDraft(`${kind}-${machineId}`, { account: person.text })
  const [mode, setMode] = useState<access.VisitMode>('ro')
  const [time, setTime] = useState<TimeChoice>({ preset: '8h', customAt: '' })
  const [problems, setProblems] = useState<AddFailure>({})
  const isVisitor = kind === 'visitor'
  const isProposed = !isVisitor && !isAkey

  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const who = { machineID: machineId, ...toPerson(person) }
      if (!isVisitor) return (await call(access.addBkey, who)).auditState
      await call(access.addVisitor, { ...who, mode, validTime: toMinutes(time, Date.now()) })
      return applications.auditStates.passed
    },
    onSuccess: (auditState) => {
      // A Bkey proposes; the Akey consents (decision 23).
      const isWaiting = isOpen(auditState)
      const done = isVisitor ? t.doneVisitor : isWaiting ? t.doneProposed : t.doneBkey
      showToast(done(formatPerson(person)))
      onClose()
      return refresh()
    },
    onError: (error) => {
      const lost = findLostFriend(error, person, text)
      show(lost ? { account: lost } : judgeAddFailure(error, t, lang))
    },
  })

  /** Shows problems and puts the cursor into the first field that has one. */
  function show(found: AddFailure) {
    setProblems(found)
    const first = (['account', 'time'] as const).find((field) => found[field])
    if (first) form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    const problem = findPersonProblem(person, text)
    const timeProblem = isVisitor ? findTimeProblem(time, Date.now()) : undefined
    const found = {
      ...(problem ? { account: problem } : {}),
      ...(timeProblem ? { time: t.problems[timeProblem] } : {}),
    }
    show(found)
    if (!problem && !timeProblem) mutate()
  }

  return (
    <Dialog
      title={isVisitor ? t.visitorTitle : isProposed ? t.proposeTitle : t.bkeyTitle}
      width={520}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{app.cancel}</Button>
          <Button kind="primary" type="submit" form={formId} busy={isPending}>
            {isVisitor ? t.submitVisitor : isProposed ? t.submitPropose : t.submitBkey}
          </Button>
        </>
      }
    >
      <form id={formId} ref={form} className={css.form} noValidate onSubmit={submit}>
        <div>
          <PersonField
            label={t.account}
            value={person}
            error={problems.account}
            onChange={(next) => {
              setPerson(next)
              setProblems({})
            }}
          />
          <p className={css.hint}>
            {[t.accountHint, !isVisitor && t.bkeyHint, isProposed && t.proposeHint].filter(Boolean).join(' ')}
          </p>
        </div>
        {isVisitor && (
          <>
            <VisitTimeField
              value={time}
              error={problems.time}
              onChange={(next) => {
                setTime(next)
                setProblems({})
              }}
            />
            <div className={css.field}>
              <span className={css.label}>{t.mode}</span>
              <ToggleGroup
                label={t.mode}
                value={mode}
                onChange={setMode}
                options={[
                  { value: 'ro', label: words.modes.ro },
                  { value: 'rw', label: words.modes.rw, disabled: limits.mode !== undefined },
                ]}
              />
              <p className={css.hint}>{limits.mode ? words.lacks.mode : t.modeHint[mode]}</p>
              {limits.alarms === 'deaf' && <p className={css.hint}>{words.lacks.alarms.deaf}</p>}
            </div>
          </>
        )}
        {problems.general && (
          <p className={css.error} role="alert">
            <Icon name="warning" size={14} />
            {problems.general}
          </p>
        )}
      </form>
    </Dialog>
  )
}
