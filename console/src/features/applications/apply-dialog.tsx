import { applications, limits, textWidth } from '@busbar/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { nextStepQuery, refreshApplications } from '../../entities/application/application-queries.ts'
import type { ApplyWish, PasswordProof } from '../../entities/application/apply-wish.ts'
import { type Text, useText } from '../../shared/i18n/index.ts'
import css from '../../shared/ui/dialogs/form.module.css'
import { TextField } from '../../shared/ui/field.tsx'
import { FormDialog } from '../../shared/ui/form/form-dialog.tsx'
import { type Form, useForm } from '../../shared/ui/form/use-form.ts'
import { Stack } from '../../shared/ui/layout/layout.tsx'
import { ToggleGroup } from '../../shared/ui/toggle-group/toggle-group.tsx'
import { type ApplyInput, explainRefusal, provePassword, sendApplication } from './apply-form.ts'

type Applied = { proof: PasswordProof } | Awaited<ReturnType<typeof sendApplication>>

/** Applies to visit a machine or to become its Bkey, with a message to its keys or with its password. */
export function ApplyDialog({ wish, onClose }: { wish: ApplyWish; onClose: () => void }) {
  const { machineId, machineName, onlyRw = false } = wish
  const byPassword = useByPassword(wish)
  const words = useText().applications
  const t = words.apply
  const client = useQueryClient()
  const form = useForm<ApplyInput, Applied>({
    route: ({ kind }) => (kind === 'bind' ? applications.applyForBind : applications.applyForVisit),
    initial: {
      kind: wish.kind,
      mode: onlyRw ? 'rw' : 'ro',
      by: wish.byPassword ? 'password' : 'message',
      password: '',
      message: '',
      remarks: '',
    },
    shown: ({ by, kind }) =>
      by === 'password' ? [] : kind === 'bind' ? ['message', 'remarks'] : ['message'],
    check: ({ by, password }) => ({
      password: by === 'password' && !password ? t.problems.passwordMissing : undefined,
    }),
    send: async (input) =>
      input.kind === 'visit' && input.by === 'password' && wish.onProved
        ? { proof: await provePassword(machineId, input) }
        : sendApplication(machineId, input),
    errorFields: { '505': 'password' },
    explain: (error) => explainRefusal(error, t),
    failed: t.failed,
    done: (applied, { kind }) => ('proof' in applied ? undefined : outcome(applied, kind, t)),
    onSent: (applied) => {
      onClose()
      if ('proof' in applied) wish.onProved?.(applied.proof)
      else void refreshApplications(client, machineId).then(() => wish.onApplied?.())
    },
  })
  const { kind, by, mode } = form.values

  return (
    <FormDialog
      title={onlyRw ? t.rwTitle(machineName) : t.title(machineName)}
      width={480}
      submit={by === 'password' ? t.enter : t.submit}
      form={form}
      onClose={onClose}
    >
      {!onlyRw && (
        <Stack gap={6} align="start" shrinks className={css.field}>
          <span className={css.label}>{t.kind}</span>
          <ToggleGroup
            label={t.kind}
            value={kind}
            onChange={(next) => form.set('kind', next)}
            options={applyKinds.map((kind) => ({ value: kind, label: words.kinds[kind] }))}
          />
          {(kind === 'bind' || by === 'message') && <p className={css.hint}>{t.kindHint[kind]}</p>}
        </Stack>
      )}
      {byPassword && (
        <Choice
          label={t.by}
          value={by}
          words={t.ways}
          options={['password', 'message']}
          onChange={(next) => form.set('by', next)}
        />
      )}
      {kind === 'visit' && !onlyRw && (
        <Choice
          label={t.mode}
          value={mode}
          words={t.modes}
          options={['ro', 'rw']}
          onChange={(next) => form.set('mode', next)}
        />
      )}
      {by === 'password' ? (
        <div>
          <TextField
            label={t.password}
            type="password"
            autoFocus
            // It is the machine's, not the person's: nothing for a password store.
            autoComplete="one-time-code"
            maxLength={limits.machinePasswordMax}
            {...form.text('password')}
          />
          <p className={css.hint}>{t.passwordHint[kind]}</p>
        </div>
      ) : (
        <MessageFields form={form} />
      )}
    </FormDialog>
  )
}

/**
 * Whether its password gives access immediately: an ordinary user's list does not contain this, the check of
 * their rights does.
 */
function useByPassword({ machineId, byPassword, onlyRw }: ApplyWish): boolean {
  const { data } = useQuery({ ...nextStepQuery(machineId), enabled: !byPassword && !onlyRw })
  return byPassword || (!onlyRw && data === 'password')
}

const applyKinds = ['visit', 'bind'] as const

/** The message to the keys. */
function MessageFields({ form }: { form: Form<ApplyInput> }) {
  const t = useText().applications.apply
  const { visitMessageMax, remarkMax } = limits
  const { kind, message, remarks } = form.values
  return (
    <>
      <div>
        <TextField
          label={t.message}
          autoFocus
          autoComplete="off"
          placeholder={t.messagePlaceholder[kind]}
          {...form.text('message')}
        />
        <p className={css.hint}>{t.count(textWidth(message.trim()), visitMessageMax)}</p>
      </div>
      {kind === 'bind' && (
        <div>
          <TextField label={t.remark} autoComplete="off" {...form.text('remarks')} />
          <p className={css.hint}>{t.count(textWidth(remarks.trim()), remarkMax)}</p>
        </div>
      )}
      <p className={css.hint}>{t.expires}</p>
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
    <Stack gap={6} align="start" shrinks className={css.field}>
      <span className={css.label}>{label}</span>
      <ToggleGroup
        label={label}
        value={value}
        onChange={onChange}
        options={options.map((option) => ({ value: option, label: words[option] }))}
      />
    </Stack>
  )
}

/** The result in words. */
function outcome(
  { applyId, auditState }: { applyId: number | null; auditState: number },
  kind: ApplyInput['kind'],
  t: Text['applications']['apply'],
): string {
  if (auditState !== applications.auditStates.passed) return t.sent
  return applyId === null && kind === 'visit' ? t.stillRuns : t.passed[kind]
}
