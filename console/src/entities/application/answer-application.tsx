import { ApiError, errorText } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLang, useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import form from '../../shared/ui/dialogs/form.module.css'
import { Icon } from '../../shared/ui/icon.tsx'
import { Switch } from '../../shared/ui/switch.tsx'
import { ToggleGroup } from '../../shared/ui/toggle-group/toggle-group.tsx'
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
 * An application that waits for the caller, with every answer there is; otherwise where it is. Who answers is decided
 * by the platform: where another key was first, that is said and shown.
 */
export function AnswerApplication({ application }: { application: AnswerableApplication }) {
  const t = useText().applications
  if (application.mayAnswer) return <AnswerForm key={application.applyId} application={application} />
  return (
    <p className={css.state}>
      <AuditStateTag state={application.auditState} />
      {isOpen(application.auditState) && <span className={css.note}>{t.answer.notMine}</span>}
    </p>
  )
}

function AnswerForm({ application }: { application: AnswerableApplication }) {
  const { kind, name, wish, machineId } = application
  const { applications: words, access } = useText()
  const t = words.answer
  const lang = useLang()
  const { mutate, isPending, error, variables } = useAnswer(application)
  // Nothing more than watching is given unless the key says so.
  const [mode, setMode] = useState<'ro' | 'rw'>(kind === 'bind' ? 'rw' : 'ro')
  const [time, setTime] = useState<TimeChoice>({ preset: '1h', customAt: '' })
  const [alarms, setAlarms] = useState(true)
  const limits = limitsOf(useQuery(roleQuery(machineId)).data)
  const [problem, setProblem] = useState<string>()
  const [isBlocking, setBlocking] = useState(false)

  function pass() {
    const now = Date.now()
    const found = kind === 'visit' ? findTimeProblem(time, now) : undefined
    if (found) return setProblem(access.add.problems[found])
    mutate(
      kind === 'visit'
        ? { pass: true, kind, mode, validTime: toMinutes(time, now) }
        : {
            pass: true,
            kind,
            // The Akey decides about the rights that the caller may not give.
            ...(limits.mode ? {} : { limitRead: mode === 'ro' ? 1 : 0 }),
            ...(limits.alarms ? {} : { limitAlarm: alarms ? 1 : 0 }),
          },
    )
  }

  const isBusy = (pressed: KeyAnswer['pass']) => isPending && variables.pass === pressed
  return (
    <fieldset className={css.form} aria-label={t.label(name)}>
      {kind === 'visit' && (
        <VisitTimeField
          value={time}
          error={problem}
          onChange={(next) => {
            setTime(next)
            setProblem(undefined)
          }}
        />
      )}
      {kind === 'bind' && limits.mode ? (
        <p className={form.hint}>{access.lacks.bind}</p>
      ) : (
        <div className={form.field}>
          <span className={form.label}>{t.mode}</span>
          <ToggleGroup
            label={t.mode}
            value={mode}
            onChange={setMode}
            options={[
              { value: 'ro', label: access.modes.ro },
              { value: 'rw', label: access.modes.rw, disabled: limits.mode !== undefined },
            ]}
          />
          <p className={form.hint}>{kind === 'visit' ? t.asked[wish] : t.bindHint}</p>
          {limits.mode && <p className={form.hint}>{access.lacks.mode}</p>}
        </div>
      )}
      {kind === 'bind' && limits.alarms && <p className={form.hint}>{access.lacks.alarms[limits.alarms]}</p>}
      {kind === 'bind' && !limits.alarms && (
        <div className={css.switch}>
          <span>{t.alarms}</span>
          <Switch label={t.alarms} checked={alarms} onChange={setAlarms} />
        </div>
      )}
      {error && <Refused error={error} lang={lang} fallback={t.failed} />}
      <div className={css.buttons}>
        <Button kind="primary" icon="check" busy={isBusy(true)} disabled={isPending} onClick={pass}>
          {kind === 'visit' ? t.letIn[mode] : t.makeBkey}
        </Button>
        <Button
          busy={isBusy(false)}
          disabled={isPending}
          onClick={() => mutate({ pass: false, blacklist: false })}
        >
          {t.refuse}
        </Button>
        <Button kind="ghost" icon="ban" disabled={isPending} onClick={() => setBlocking(true)}>
          {t.block}
        </Button>
      </div>
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
    </fieldset>
  )
}

function Refused({ error, lang, fallback }: { error: Error; lang: 'cn' | 'en'; fallback: string }) {
  const known = error instanceof ApiError && error.http === 200 && errorText(error.code, lang)
  return (
    <p role="alert" className={form.error}>
      <Icon name="warning" size={14} />
      {known || fallback}
    </p>
  )
}

interface BlockDialogProps {
  name: string
  onClose: () => void
  onBlock: () => void
}

/** The one answer that cannot be taken back by itself. */
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
      <p className={form.body}>{t.blockBody}</p>
    </Dialog>
  )
}
