import { applications } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import field from '../../shared/ui/dialogs/form.module.css'
import { FormRefusal } from '../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../shared/ui/form/use-form.ts'
import { Row, Stack, Text } from '../../shared/ui/layout/layout.tsx'
import { Switch } from '../../shared/ui/switch.tsx'
import { ToggleGroup } from '../../shared/ui/toggle-group/toggle-group.tsx'
import { refusalText } from '../../shared/ui/use-act.ts'
import { roleQuery } from '../access/access-queries.ts'
import { limitsOf } from '../access/may-give.ts'
import { findTimeProblem, type TimeChoice, toMinutes } from '../access/visit-time.ts'
import { VisitTimeField } from '../access/visit-time-field.tsx'
import css from './answer-application.module.css'
import type { AnswerableApplication } from './answerable-application.ts'
import { isOpen } from './audit-state.ts'
import { AuditStateTag } from './audit-state-tag.tsx'
import { type KeyAnswer, useAnswer } from './use-answer.ts'

/**
 * An open application with every possible answer; a closed one with its state. The platform decides who
 * answers: if another key answered first, that is reported and shown.
 */
export function AnswerApplication({ application }: { application: AnswerableApplication }) {
  const t = useText().applications
  if (application.mayAnswer) return <AnswerForm key={application.applyId} application={application} />
  return (
    <Row as="p" gap="4 10" wraps>
      <AuditStateTag state={application.auditState} />
      {isOpen(application.auditState) && (
        <Text tone="quiet" size={12}>
          {t.answer.notMine}
        </Text>
      )}
    </Row>
  )
}

function AnswerForm({ application }: { application: AnswerableApplication }) {
  const { kind, name, wish, machineId } = application
  const { applications: words, access } = useText()
  const t = words.answer
  const { mutate, mutateAsync, isPending, error, variables } = useAnswer(application)
  const limits = limitsOf(useQuery(roleQuery(machineId)).data)
  const [isBlocking, setBlocking] = useState(false)
  const form = useForm({
    route: kind === 'bind' ? applications.verifyBind : applications.verifyVisit,
    // The right to watch is given unless the key says more.
    initial: {
      mode: (kind === 'bind' ? 'rw' : 'ro') as 'ro' | 'rw',
      time: { preset: '1h', customAt: '' } as TimeChoice,
      alarms: true,
    },
    check: ({ time }) => {
      const problem = kind === 'visit' ? findTimeProblem(time, Date.now()) : undefined
      return { time: problem && access.add.problems[problem] }
    },
    send: ({ mode, time, alarms }) =>
      mutateAsync(
        kind === 'visit'
          ? { pass: true, kind, mode, validTime: toMinutes(time, Date.now()) }
          : {
              pass: true,
              kind,
              // The Akey decides about the rights that the caller may not give.
              ...(limits.mode ? {} : { limitRead: mode === 'ro' ? 1 : 0 }),
              ...(limits.alarms ? {} : { limitAlarm: alarms ? 1 : 0 }),
            },
      ),
    errorFields: { validTime: 'time' },
  })
  const { mode, alarms } = form.values

  const isBusy = (pressed: KeyAnswer['pass']) => isPending && variables.pass === pressed
  return (
    <form {...form.props}>
      <fieldset className={css.form} aria-label={t.label(name)}>
        {kind === 'visit' && <VisitTimeField {...form.field('time')} />}
        {kind === 'bind' && limits.mode ? (
          <p className={field.hint}>{access.lacks.bind}</p>
        ) : (
          <Stack gap={6} align="start" shrinks className={field.field}>
            <span className={field.label}>{t.mode}</span>
            <ToggleGroup
              label={t.mode}
              value={mode}
              onChange={(next) => form.set('mode', next)}
              options={[
                { value: 'ro', label: access.modes.ro },
                { value: 'rw', label: access.modes.rw, disabled: limits.mode !== undefined },
              ]}
            />
            <p className={field.hint}>{kind === 'visit' ? t.asked[wish] : t.bindHint}</p>
            {limits.mode && <p className={field.hint}>{access.lacks.mode}</p>}
          </Stack>
        )}
        {kind === 'bind' && limits.alarms && (
          <p className={field.hint}>{access.lacks.alarms[limits.alarms]}</p>
        )}
        {kind === 'bind' && !limits.alarms && (
          <Row gap={12} tone="soft" size={12} weight={500}>
            <span>{t.alarms}</span>
            <Switch label={t.alarms} checked={alarms} onChange={(next) => form.set('alarms', next)} />
          </Row>
        )}
        {/* Of each answer, of which the form sends one. */}
        <FormRefusal text={error ? refusalText(error, t.failed) : undefined} />
        <Row gap={8} align="stretch" wraps className={css.buttons}>
          <Button
            kind="primary"
            type="submit"
            icon="check"
            busy={isBusy(true)}
            disabled={isPending && !isBusy(true)}
          >
            {kind === 'visit' ? t.letIn[mode] : t.makeBkey}
          </Button>
          <Button
            busy={isBusy(false)}
            disabled={isPending && !isBusy(false)}
            onClick={() => mutate({ pass: false, blacklist: false })}
          >
            {t.refuse}
          </Button>
          <Button kind="ghost" icon="ban" disabled={isPending} onClick={() => setBlocking(true)}>
            {t.block}
          </Button>
        </Row>
      </fieldset>
      {isBlocking && (
        <BlockDialog
          name={name}
          onClose={() => setBlocking(false)}
          onBlock={() => {
            setBlocking(false)
            mutate({ pass: false, blacklist: true })
          }}
        />
      )}
    </form>
  )
}

interface BlockDialogProps {
  name: string
  onClose: () => void
  onBlock: () => void
}

/** Confirms the blacklisting, which stays until a key removes it. */
function BlockDialog({ name, onClose, onBlock }: BlockDialogProps) {
  const { applications, app } = useText()
  const t = applications.answer
  return (
    <Dialog
      title={t.blockTitle(name)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{app.cancel}</Button>
          <Button kind="danger" onClick={onBlock}>
            {t.block}
          </Button>
        </>
      }
    >
      <Text as="p" pretty>
        {t.blockBody}
      </Text>
    </Dialog>
  )
}
