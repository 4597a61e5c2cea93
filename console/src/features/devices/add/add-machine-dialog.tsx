import { demoMachineCode, limits, machines, textWidth } from '@busbar/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useRef, useState } from 'react'
import type { Machine } from '../../../entities/machine/machine.ts'
import type { MachineGroup } from '../../../entities/machine/machine-order.ts'
import { call } from '../../../shared/api/client.ts'
import { useLang, useText } from '../../../shared/i18n/index.ts'
import { useDraft } from '../../../shared/session/drafts.ts'
import { Button, IconButton } from '../../../shared/ui/button.tsx'
import { Dialog } from '../../../shared/ui/dialog.tsx'
import { TextField } from '../../../shared/ui/field.tsx'
import { Icon } from '../../../shared/ui/icon.tsx'
import { showNotice } from '../../../shared/ui/notice-store.ts'
import css from './add-machine-dialog.module.css'
import {
  type AddField,
  type AddProblems,
  checkAddInput,
  isDemoCode,
  judgeAddFailure,
} from './add-machine-form.ts'
import { GroupField } from './group-field.tsx'
import { asksPassword, MachineCheck, useMachineCheck } from './machine-check.tsx'
import { parseCodeInput } from './machine-code.ts'
import { ScanCode } from './scan-code.tsx'

interface AddMachineDialogProps {
  /** Filled in to begin with. */
  code: string
  name?: string | undefined
  machines: readonly Machine[]
  groups: readonly MachineGroup[]
  onClose: () => void
  onOpen: (machineId: number) => void
}

/** Adds a machine by its code; what is wrong stands beside its field, and nothing typed is lost. */
export function AddMachineDialog(props: AddMachineDialogProps) {
  const { groups, onClose, onOpen } = props
  const text = useText()
  const t = text.machines.addDialog
  const lang = useLang()
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
  useDraft('add-machine', { code, name })
  const entered = parseCodeInput(code)
  const { checked, isChecking } = useMachineCheck(code)
  const isPasswordAsked = asksPassword(code, checked)
  const input = { code, name, password: isPasswordAsked ? password : '' }

  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      call(machines.addMachine, {
        machineCode: entered.code,
        machineName: name.trim(),
        ...(input.password ? { machinePwd: input.password } : {}),
        ...(groupId ? { machineGroupID: groupId } : {}),
      }),
    onSuccess: async ({ machineID }) => {
      showNotice(t.added(name.trim()))
      // The pane is about a machine of the list: first the list.
      await client.invalidateQueries({ queryKey: ['machines', 'list'] })
      onOpen(machineID)
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
    const found = checkAddInput(input, t)
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
      title={t.title}
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
        <div>
          <TextField
            label={t.code}
            name="code"
            autoFocus
            inputMode="numeric"
            autoComplete="off"
            spellCheck={false}
            placeholder="0000 0000 0000 0000 000"
            className={css.code}
            value={code}
            onChange={(next) => {
              setCode(next)
              forget('code')
            }}
            error={problems.code}
            after={
              <span className={css.counter} data-complete={entered.problem === null}>
                {entered.problem === null && <Icon name="check" size={12} />}
                {t.digits(entered.digits, limits.machineCodeDigits)}
              </span>
            }
          />
          <p className={css.hint}>
            {t.codeHint}
            {code === '' && (
              <button type="button" className={css.link} onClick={() => setCode(demoMachineCode)}>
                {t.useDemo}
              </button>
            )}
            {isRefusedAsKnown && openKnown && !checked && (
              <button type="button" className={css.link} onClick={openKnown}>
                {t.openExisting}
              </button>
            )}
          </p>
          <ScanCode
            onCode={(scanned) => {
              setCode(scanned)
              forget('code')
              showNotice(text.machineEdit.scan.found)
              form.current?.querySelector<HTMLElement>('[name="name"]')?.focus()
            }}
          />
          <MachineCheck code={code} checked={checked} isChecking={isChecking} onOpen={openKnown} />
        </div>
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
            after={
              <span className={css.counter}>{text.app.counter(nameLength, limits.machineNameAddMax)}</span>
            }
          />
          <p className={css.hint}>{t.nameHint(limits.machineNameAddMax)}</p>
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
            <p className={css.hint}>{t.passwordHint}</p>
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
