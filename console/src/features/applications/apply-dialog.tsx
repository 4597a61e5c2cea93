import { applications, limits, textWidth } from '@busbar/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { nextStepQuery, refreshApplications } from '../../entities/application/application-queries.ts'
import type { ApplyWish } from '../../entities/application/apply-wish.ts'
import { type Text, useLang, useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import form from '../../shared/ui/dialogs/form.module.css'
import { TextField } from '../../shared/ui/field.tsx'
import { Icon } from '../../shared/ui/icon.tsx'
import { showToast } from '../../shared/ui/toast/toast-store.ts'
import { ToggleGroup } from '../../shared/ui/toggle-group/toggle-group.tsx'
import {
  type ApplyInput,
  type ApplyProblems,
  findApplyProblems,
  judgeApplyFailure,
  provePassword,
  sendApplication,
} from './apply-form.ts'

/** Applies to visit a machine or to become its Bkey, with a message to its keys or with its password. */
export function ApplyDialog({ wish, onClose }: { wish: ApplyWish; onClose: () => void }) {
  const { machineId, machineName, onlyRw = false } = wish
  const byPassword = useByPassword(wish)
  const { applications: words, app } = useText()
  const t = words.apply
  const lang = useLang()
  const client = useQueryClient()
  const formId = useId()
  const [input, setInput] = useState<ApplyInput>({
    kind: wish.kind,
    mode: onlyRw ? 'rw' : 'ro',
    by: wish.byPassword ? 'password' : 'message',
    password: '',
    message: '',
    remark: '',
  })
  const [problems, setProblems] = useState<ApplyProblems>({})
  const { mutate, isPending } = useMutation({
    mutationFn: async () =>
      input.kind === 'visit' && input.by === 'password' && wish.onProved
        ? { proof: await provePassword(machineId, input) }
        : sendApplication(machineId, input),
    onSuccess: async (applied) => {
      if ('proof' in applied) {
        onClose()
        wish.onProved?.(applied.proof)
        return
      }
      showToast(outcome(applied, input.kind, t))
      onClose()
      await refreshApplications(client, machineId)
      wish.onApplied?.()
    },
    onError: (error) => setProblems(judgeApplyFailure(error, t, lang)),
  })

  const set = (change: Partial<ApplyInput>) => {
    setInput({ ...input, ...change })
    setProblems({})
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    const found = findApplyProblems(input, t)
    setProblems(found)
    if (Object.keys(found).length === 0) mutate()
  }

  return (
    <Dialog
      title={onlyRw ? t.rwTitle(machineName) : t.title(machineName)}
      width={480}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{app.cancel}</Button>
          <Button kind="primary" type="submit" form={formId} busy={isPending}>
            {input.by === 'password' ? t.enter : t.submit}
          </Button>
        </>
      }
    >
      <form id={formId} className={form.form} noValidate onSubmit={submit}>
        {!onlyRw && (
          <div className={form.field}>
            <span className={form.label}>{t.kind}</span>
            <ToggleGroup
              label={t.kind}
              value={input.kind}
              onChange={(kind) => set({ kind })}
              options={applyKinds.map((kind) => ({ value: kind, label: words.kinds[kind] }))}
            />
            {(input.kind === 'bind' || input.by === 'message') && (
              <p className={form.hint}>{t.kindHint[input.kind]}</p>
            )}
          </div>
        )}
        {byPassword && (
          <Choice
            label={t.by}
            value={input.by}
            words={t.ways}
            options={['password', 'message']}
            onChange={(by) => set({ by })}
          />
        )}
        {input.kind === 'visit' && !onlyRw && (
          <Choice
            label={t.mode}
            value={input.mode}
            words={t.modes}
            options={['ro', 'rw']}
            onChange={(mode) => set({ mode })}
          />
        )}
        {input.by === 'password' ? (
          <div>
            <TextField
              label={t.password}
              name="password"
              type="password"
              autoFocus
              // It is the machine's, not the person's: nothing for a password store.
              autoComplete="one-time-code"
              maxLength={limits.machinePasswordMax}
              value={input.password}
              error={problems.password}
              onChange={(password) => set({ password })}
            />
            <p className={form.hint}>{t.passwordHint[input.kind]}</p>
          </div>
        ) : (
          <MessageFields input={input} problems={problems} set={set} />
        )}
        {problems.general && (
          <p className={form.error} role="alert">
            <Icon name="warning" size={14} />
            {problems.general}
          </p>
        )}
      </form>
    </Dialog>
  )
}

/** Whether its password lets in at once: an ordinary user's list does not say so, a look at their rights does. */
function useByPassword({ machineId, byPassword, onlyRw }: ApplyWish): boolean {
  const { data } = useQuery({ ...nextStepQuery(machineId), enabled: !byPassword && !onlyRw })
  return byPassword || (!onlyRw && data === 'password')
}

const applyKinds = ['visit', 'bind'] as const

interface MessageFieldsProps {
  input: ApplyInput
  problems: ApplyProblems
  set: (change: Partial<ApplyInput>) => void
}

/** What is said to the keys. */
function MessageFields({ input, problems, set }: MessageFieldsProps) {
  const t = useText().applications.apply
  const { visitMessageMax, remarkMax } = limits
  return (
    <>
      <div>
        <TextField
          label={t.message}
          name="message"
          autoFocus
          autoComplete="off"
          placeholder={t.messagePlaceholder[input.kind]}
          value={input.message}
          error={problems.message}
          onChange={(message) => set({ message })}
        />
        <p className={form.hint}>{t.count(textWidth(input.message.trim()), visitMessageMax)}</p>
      </div>
      {input.kind === 'bind' && (
        <div>
          <TextField
            label={t.remark}
            name="remark"
            autoComplete="off"
            value={input.remark}
            error={problems.remark}
            onChange={(remark) => set({ remark })}
          />
          <p className={form.hint}>{t.count(textWidth(input.remark.trim()), remarkMax)}</p>
        </div>
      )}
      <p className={form.hint}>{t.expires}</p>
    </>
  )
}

interface ChoiceProps<T extends string> {
  label: string
  value: T
  words: Readonly<Record<T, string>>
  options: readonly T[]
  onChange: (value: T) => void
}

function Choice<T extends string>({ label, value, words, options, onChange }: ChoiceProps<T>) {
  return (
    <div className={form.field}>
      <span className={form.label}>{label}</span>
      <ToggleGroup
        label={label}
        value={value}
        onChange={onChange}
        options={options.map((option) => ({ value: option, label: words[option] }))}
      />
    </div>
  )
}

/** What became of it, in words. */
function outcome(
  { applyId, auditState }: { applyId: number | null; auditState: number },
  kind: ApplyInput['kind'],
  t: Text['applications']['apply'],
): string {
  if (auditState !== applications.auditStates.passed) return t.sent
  return applyId === null && kind === 'visit' ? t.stillRuns : t.passed[kind]
}
