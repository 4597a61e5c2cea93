import { ApiError, demoMachineCode, enterprises, limits, machines, textWidth } from '@busbar/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { asksPassword, useMachineCheck } from '../../../entities/machine/code/machine-check.tsx'
import { findCodeProblem, isDemoCode, parseCodeInput } from '../../../entities/machine/code/machine-code.ts'
import { MachineCodeField } from '../../../entities/machine/code/machine-code-field.tsx'
import type { Machine } from '../../../entities/machine/machine.ts'
import type { MachineGroup } from '../../../entities/machine/machine-order.ts'
import { call } from '../../../shared/api/client.ts'
import { useLang, useText } from '../../../shared/i18n/index.ts'
import { useDraft } from '../../../shared/session/drafts.ts'
import { TextField } from '../../../shared/ui/field.tsx'
import { SelectField } from '../../../shared/ui/fields/choice-fields.tsx'
import { PasswordField } from '../../../shared/ui/fields/password-field.tsx'
import { FormDialog } from '../../../shared/ui/form/form-dialog.tsx'
import { type Form, useForm } from '../../../shared/ui/form/use-form.ts'
import { type DeviceSpace, useDeviceSpace } from '../space.ts'
import { spaceListQuery } from '../space-queries.ts'
import css from './add-machine-dialog.module.css'

interface AddMachineDialogProps {
  /** Filled in to begin with. */
  code: string
  name?: string | undefined
  machines: readonly Machine[]
  groups: readonly MachineGroup[]
  onClose: () => void
  onOpen: (machineId: number) => void
}

type Entered = {
  readonly code: string
  readonly name: string
  readonly password: string
  readonly groupId: number | undefined
}

/** The fields that refusals are about. */
const errorFields = {
  '04010112': 'code',
  '04010102': 'code',
  MACHINE_OWNED: 'code',
  machineCode: 'code',
  '04010113': 'groupId',
  '04010412': 'name',
  '04010114': 'password',
  '505': 'password',
} as const

/** Puts a machine into the list of the space; returns its id. */
async function send(space: DeviceSpace, { code, name, password, groupId }: Entered): Promise<number> {
  const machineCode = parseCodeInput(code).code
  if (space.kind === 'personal') {
    const { machineID } = await call(machines.addMachine, {
      machineCode,
      machineName: name.trim(),
      ...(password ? { machinePwd: password } : {}),
      ...(groupId ? { machineGroupID: groupId } : {}),
    })
    return machineID
  }
  const { machineId } = await call(enterprises.addEnterpriseMachine, {
    eid: space.eid,
    machineCode,
    password,
    name: name.trim(),
    ...(groupId ? { groupId } : {}),
  })
  return machineId
}

/** Adds a machine to the personal list or an enterprise's by its code. */
export function AddMachineDialog(props: AddMachineDialogProps) {
  const { groups, onClose, onOpen } = props
  const text = useText()
  const t = text.machines.addDialog
  const lang = useLang()
  const space = useDeviceSpace()
  const isOwn = space.kind === 'personal'
  const client = useQueryClient()
  const navigate = useNavigate()
  const connect = () =>
    void navigate({ to: '/connect', search: space.kind === 'personal' ? {} : { eid: space.eid } })
  const [isRefusedAsKnown, setKnown] = useState(false)

  const form: Form<Entered> = useForm({
    route: isOwn ? machines.addMachine : enterprises.addEnterpriseMachine,
    names: isOwn ? { name: 'machineName', password: 'machinePwd', groupId: 'machineGroupID' } : {},
    initial: {
      code: props.code,
      name: props.name ?? (isDemoCode(props.code) ? text.machines.empty.demoName : ''),
      password: '',
      groupId: undefined,
    },
    words: { name: { required: t.problems.nameEmpty }, password: { required: t.problems.passwordEmpty } },
    check: ({ code }) => ({ code: findCodeProblem(code, text) }),
    send: (values) => send(space, { ...values, password: isPasswordAsked ? values.password : '' }),
    errorFields,
    explain: ({ code }, { password }) =>
      code === '505' && password === '' ? t.problems.passwordNeeded : undefined,
    failed: t.failed,
    done: (_, { name }) => t.added(name.trim()),
    onSent: (machineId) => {
      const { queryKey } = spaceListQuery(space, lang)
      void client.invalidateQueries({ queryKey })
      onOpen(machineId)
    },
    onRefused: (error) => setKnown(error instanceof ApiError && error.is('04010112')),
  })
  const { code, name, groupId } = form.values
  useDraft(isOwn ? 'add-machine' : 'add-enterprise-machine', { code, name })
  const check = useMachineCheck(code)
  const isPasswordAsked = !isOwn || asksPassword(code, check.checked)
  const known = props.machines.find((machine) => machine.code === parseCodeInput(code).code)
  const openKnown = known && (() => onOpen(known.id))
  const nameMax = isOwn ? limits.machineNameAddMax : limits.machineNameMax
  return (
    <FormDialog
      title={isOwn ? t.title : text.enterprises.devices.addTitle}
      submit={t.submit}
      width={440}
      form={form}
      onClose={onClose}
    >
      <MachineCodeField
        {...form.field('code')}
        label={t.code}
        purpose={space.kind}
        check={check}
        onScan={() => form.props.ref.current?.querySelector<HTMLElement>('[name="name"]')?.focus()}
        onOpen={openKnown}
        hint={
          <p className={css.hint}>
            {t.codeHint}
            {code === '' && isOwn && (
              <button type="button" className={css.link} onClick={() => form.set('code', demoMachineCode)}>
                {t.useDemo}
              </button>
            )}
            {code === '' && (
              <button type="button" className={css.link} onClick={connect}>
                {t.noLabel}
              </button>
            )}
            {isRefusedAsKnown && form.problems.code && openKnown && !check.checked && (
              <button type="button" className={css.link} onClick={openKnown}>
                {t.openExisting}
              </button>
            )}
          </p>
        }
      />
      <div>
        <TextField
          label={t.name}
          autoComplete="off"
          placeholder={t.namePlaceholder}
          {...form.text('name')}
          after={<span className={css.counter}>{text.app.counter(textWidth(name.trim()), nameMax)}</span>}
        />
        <p className={css.hint}>{isOwn ? t.nameHint(nameMax) : text.enterprises.devices.nameHint(nameMax)}</p>
      </div>
      {isPasswordAsked && (
        <div>
          <PasswordField
            label={t.password}
            // It is the machine's, not the person's: nothing for a password store.
            autoComplete="one-time-code"
            {...form.text('password')}
          />
          <p className={css.hint}>{isOwn ? t.passwordHint : text.enterprises.devices.passwordHint}</p>
        </div>
      )}
      {groups.length > 0 && (
        <SelectField
          label={t.group}
          options={[
            { value: 0, label: t.noGroup },
            ...groups.map((group) => ({ value: group.id, label: group.name })),
          ]}
          {...form.field('groupId')}
          value={groupId ?? 0}
          onChange={(id) => form.set('groupId', id || undefined)}
        />
      )}
    </FormDialog>
  )
}
