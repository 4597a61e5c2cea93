import { demoMachineCode, enterprises, machines, textWidth } from '@busbar/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useRef, useState } from 'react'
import { asksPassword, useMachineCheck } from '../../../entities/machine/code/machine-check.tsx'
import { isDemoCode, parseCodeInput } from '../../../entities/machine/code/machine-code.ts'
import { MachineCodeField } from '../../../entities/machine/code/machine-code-field.tsx'
import type { Machine } from '../../../entities/machine/machine.ts'
import type { MachineGroup } from '../../../entities/machine/machine-order.ts'
import { call } from '../../../shared/api/client.ts'
import { useLang, useText } from '../../../shared/i18n/index.ts'
import { useDraft } from '../../../shared/session/drafts.ts'
import { Button, IconButton } from '../../../shared/ui/button.tsx'
import { Dialog } from '../../../shared/ui/dialog.tsx'
import { TextField } from '../../../shared/ui/field.tsx'
import { Icon } from '../../../shared/ui/icon.tsx'
import { showToast } from '../../../shared/ui/toast/toast-store.ts'
import { type DeviceSpace, useDeviceSpace } from '../space.ts'
import { spaceListQuery } from '../space-queries.ts'
import css from './add-machine-dialog.module.css'
import {
  type AddField,
  type AddInput,
  type AddProblems,
  checkAddInput,
  enterpriseRules,
  judgeAddFailure,
  ownRules,
} from './add-machine-form.ts'
import { GroupField } from './group-field.tsx'

interface AddMachineDialogProps {
  /** Filled in to begin with. */
  code: string
  name?: string | undefined
  machines: readonly Machine[]
  groups: readonly MachineGroup[]
  onClose: () => void
  onOpen: (machineId: number) => void
}

interface Addition extends AddInput {
  readonly groupId: number | undefined
}

/** Puts a machine into the list of the space; answers its id. */
async function send(space: DeviceSpace, input: Addition): Promise<number> {
  const { code: machineCode, name, password, groupId } = input
  if (space.kind === 'personal') {
    const { machineID } = await call(machines.addMachine, {
      machineCode,
      machineName: name,
      ...(password ? { machinePwd: password } : {}),
      ...(groupId ? { machineGroupID: groupId } : {}),
    })
    return machineID
  }
  const { machineId } = await call(enterprises.addEnterpriseMachine, {
    eid: space.eid,
    machineCode,
    password,
    name,
    ...(groupId ? { groupId } : {}),
  })
  return machineId
}

/** Adds a machine to one's own list or an enterprise's by its code; what is wrong stands beside its field, and nothing typed is lost. */
export function AddMachineDialog(props: AddMachineDialogProps) {
  const { groups, onClose, onOpen } = props
  const text = useText()
  const t = text.machines.addDialog
  const lang = useLang()
  const space = useDeviceSpace()
  const isOwn = space.kind === 'personal'
  const rules = isOwn ? ownRules : enterpriseRules
  const client = useQueryClient()
  const formId = useId()
  const form = useRef<HTMLFormElement>(null)
  const [code, setCode] = useState(props.code)
  const [name, setName] = useState(props.name ?? (isDemoCode(props.code) ? text.machines.empty.demoName : ''))
  const [password, setPassword] = useState('')
  const [groupId, setGroupId] = useState<number>()
  const [isPasswordShown, showPassword] = useState(false)
  const [problems, setProblems] = useState<AddProblems>({})
  const [general, setGeneral] = useState<string>()
  const [isRefusedAsKnown, setKnown] = useState(false)
  useDraft(isOwn ? 'add-machine' : 'add-enterprise-machine', { code, name })
  const entered = parseCodeInput(code)
  const check = useMachineCheck(code)
  const isPasswordAsked = !isOwn || asksPassword(code, check.checked)
  const input = { code, name, password: isPasswordAsked ? password : '' }

  const { mutate, isPending } = useMutation({
    mutationFn: () => send(space, { ...input, code: entered.code, name: name.trim(), groupId }),
    onSuccess: async (machineId) => {
      showToast(t.added(name.trim()))
      // The pane is about a machine of the list: first the list.
      const { queryKey } = spaceListQuery(space, lang)
      await client.invalidateQueries({ queryKey })
      onOpen(machineId)
    },
    onError: (error) => {
      const failure = judgeAddFailure(error, input, t, lang)
      setKnown(failure.isKnown)
      setGeneral(failure.general)
      show(failure.problems)
    },
  })

  /** Shows problems and puts the cursor into the first field that has one. */
  function show(next: AddProblems) {
    setProblems(next)
    const first = (['code', 'name', 'password', 'group'] as const).find((field) => next[field])
    if (first) form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    setGeneral(undefined)
    setKnown(false)
    const found = checkAddInput(input, t, rules)
    show(found)
    if (Object.keys(found).length === 0) mutate()
  }

  /** A field that is being mended is no longer wrong. */
  function forget(field: AddField) {
    if (problems[field]) setProblems({ ...problems, [field]: undefined })
    if (field === 'code') setKnown(false)
  }

  const known = props.machines.find((machine) => machine.code === entered.code)
  const openKnown = known && (() => onOpen(known.id))
  const nameLength = textWidth(name.trim())
  return (
    <Dialog
      title={isOwn ? t.title : text.enterprises.devices.addTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button kind="primary" type="submit" form={formId} busy={isPending}>
            {t.submit}
          </Button>
        </>
      }
    >
      <form id={formId} ref={form} className={css.form} noValidate onSubmit={submit}>
        <MachineCodeField
          label={t.code}
          value={code}
          purpose={space.kind}
          error={problems.code}
          check={check}
          onChange={(next) => {
            setCode(next)
            forget('code')
          }}
          onScan={() => form.current?.querySelector<HTMLElement>('[name="name"]')?.focus()}
          onOpen={openKnown}
          hint={
            <p className={css.hint}>
              {t.codeHint}
              {code === '' && isOwn && (
                <button type="button" className={css.link} onClick={() => setCode(demoMachineCode)}>
                  {t.useDemo}
                </button>
              )}
              {isRefusedAsKnown && openKnown && !check.checked && (
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
            name="name"
            autoComplete="off"
            placeholder={t.namePlaceholder}
            value={name}
            onChange={(next) => {
              setName(next)
              forget('name')
            }}
            error={problems.name}
            after={<span className={css.counter}>{text.app.counter(nameLength, rules.nameMax)}</span>}
          />
          <p className={css.hint}>
            {isOwn ? t.nameHint(rules.nameMax) : text.enterprises.devices.nameHint(rules.nameMax)}
          </p>
        </div>
        {isPasswordAsked && (
          <div>
            <TextField
              label={t.password}
              name="password"
              type={isPasswordShown ? 'text' : 'password'}
              // It is the machine's, not the person's: nothing for a password store.
              autoComplete="one-time-code"
              spellCheck={false}
              value={password}
              onChange={(next) => {
                setPassword(next)
                forget('password')
              }}
              error={problems.password}
              after={
                <IconButton
                  icon={isPasswordShown ? 'eyeOff' : 'eye'}
                  label={isPasswordShown ? t.hidePassword : t.showPassword}
                  className={css.eye}
                  onClick={() => showPassword(!isPasswordShown)}
                />
              }
            />
            <p className={css.hint}>{isOwn ? t.passwordHint : text.enterprises.devices.passwordHint}</p>
          </div>
        )}
        {groups.length > 0 && (
          <GroupField groups={groups} value={groupId} onChange={setGroupId} error={problems.group} />
        )}
        {general && (
          <p className={css.general} role="alert">
            <Icon name="warning" size={14} />
            {general}
          </p>
        )}
      </form>
    </Dialog>
  )
}
