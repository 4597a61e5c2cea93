import { access, applications } from '@busbar/contract'
import { findTimeProblem, type TimeChoice, toMinutes } from '../../entities/access/visit-time.ts'
import { VisitTimeField } from '../../entities/access/visit-time-field.tsx'
import { isOpen } from '../../entities/application/audit-state.ts'
import { PersonField } from '../../entities/person/person-field.tsx'
import {
  emptyPerson,
  explainPerson,
  findPersonProblem,
  formatPerson,
  type PersonInput,
  personErrors,
  toPerson,
} from '../../entities/person/person-input.ts'
import { call } from '../../shared/api/client.ts'
import { useText } from '../../shared/i18n/index.ts'
import { useDraft } from '../../shared/session/drafts.ts'
import css from '../../shared/ui/dialogs/form.module.css'
import { FormDialog } from '../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../shared/ui/form/use-form.ts'
import { Stack } from '../../shared/ui/layout/layout.tsx'
import { ToggleGroup } from '../../shared/ui/toggle-group/toggle-group.tsx'
import { useAdministration } from './administration.ts'

interface AddPersonDialogProps {
  kind: 'visitor' | 'bkey'
  /** Filled in to begin with. */
  account?: string | undefined
  onClose: () => void
}

type Entered = {
  readonly account: PersonInput
  readonly mode: access.VisitMode
  readonly time: TimeChoice
}

/** Gives a right to a friend or to an account. */
export function AddPersonDialog({ kind, account = '', onClose }: AddPersonDialogProps) {
  const { machineId, isAkey, limits, refresh } = useAdministration()
  const text = useText()
  const { access: words } = text
  const t = words.add
  const isVisitor = kind === 'visitor'
  const isProposed = !isVisitor && !isAkey

  const form = useForm<Entered, number>({
    route: isVisitor ? access.addVisitor : access.addBkey,
    initial: {
      account: { ...emptyPerson, text: account },
      mode: 'ro',
      time: { preset: '8h', customAt: '' },
    },
    check: ({ account, time }) => {
      const problem = isVisitor ? findTimeProblem(time, Date.now()) : undefined
      return { account: findPersonProblem(account, text), time: problem && t.problems[problem] }
    },
    send: async ({ account, mode, time }) => {
      const who = { machineID: machineId, ...toPerson(account) }
      if (!isVisitor) return (await call(access.addBkey, who)).auditState
      await call(access.addVisitor, { ...who, mode, validTime: toMinutes(time, Date.now()) })
      return applications.auditStates.passed
    },
    errorFields: { ...personErrors('account'), validTime: 'time' },
    explain: (error, { account }) =>
      error.field === 'validTime' ? t.problems.timeTooSoon : explainPerson(error, account, text),
    failed: t.failed,
    done: (auditState, { account }) => {
      // A Bkey proposes; the Akey consents.
      const done = isVisitor ? t.doneVisitor : isOpen(auditState) ? t.doneProposed : t.doneBkey
      return done(formatPerson(account))
    },
    onSent: () => {
      onClose()
      return refresh()
    },
  })
  useDraft(`${kind}-${machineId}`, { account: form.values.account.text })

  return (
    <FormDialog
      title={isVisitor ? t.visitorTitle : isProposed ? t.proposeTitle : t.bkeyTitle}
      submit={isVisitor ? t.submitVisitor : isProposed ? t.submitPropose : t.submitBkey}
      form={form}
      onClose={onClose}
    >
      <div>
        <PersonField label={t.account} {...form.field('account')} />
        <p className={css.hint}>
          {[t.accountHint, !isVisitor && t.bkeyHint, isProposed && t.proposeHint].filter(Boolean).join(' ')}
        </p>
      </div>
      {isVisitor && (
        <>
          <VisitTimeField {...form.field('time')} />
          <Stack gap={6} align="start" shrinks className={css.field}>
            <span className={css.label}>{t.mode}</span>
            <ToggleGroup
              label={t.mode}
              value={form.values.mode}
              onChange={(mode) => form.set('mode', mode)}
              options={[
                { value: 'ro', label: words.modes.ro },
                { value: 'rw', label: words.modes.rw, disabled: limits.mode !== undefined },
              ]}
            />
            <p className={css.hint}>{limits.mode ? words.lacks.mode : t.modeHint[form.values.mode]}</p>
            {limits.alarms === 'deaf' && <p className={css.hint}>{words.lacks.alarms.deaf}</p>}
          </Stack>
        </>
      )}
    </FormDialog>
  )
}
