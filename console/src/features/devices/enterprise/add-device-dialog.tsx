import { enterprises, limits } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { groupsQuery, spaceKey } from '../../../entities/enterprise/enterprise-queries.ts'
import { call } from '../../../shared/api/client.ts'
import { useText } from '../../../shared/i18n/index.ts'
import css from '../../../shared/ui/dialogs/form.module.css'
import { FormDialog } from '../../../shared/ui/dialogs/form-dialog.tsx'
import { TextField } from '../../../shared/ui/field.tsx'
import { SelectField } from '../../../shared/ui/fields/choice-fields.tsx'
import { findNameProblem } from '../../../shared/ui/text-problems.ts'
import { useAct } from '../../../shared/ui/use-act.ts'

/** A code as it is printed, in groups. */
const codeInputMax = limits.machineCodeDigits * 2

/** Makes a machine the enterprise's own, by what stands on its label. */
export function AddDeviceDialog({ eid, onClose }: { eid: number; onClose: () => void }) {
  const {
    app,
    enterprises: { devices: t },
  } = useText()
  const { data: groups = [] } = useQuery(groupsQuery(eid))
  const [code, setCode] = useState('')
  const [password, setPassword] = useState('')
  const [name, setName] = useState('')
  const [groupId, setGroupId] = useState(0)
  const [refusal, setRefusal] = useState<string>()
  const [isTried, setTried] = useState(false)
  const machineCode = code.replace(/\s/g, '')
  const isCode = /^\d{19}$/.test(machineCode)
  const add = useAct({
    call: () =>
      call(enterprises.addEnterpriseMachine, {
        eid,
        machineCode,
        password,
        name: name.trim(),
        ...(groupId ? { groupId } : {}),
      }),
    done: t.added(name.trim()),
    touched: [spaceKey(eid)],
    onDone: onClose,
    onRefused: setRefusal,
  })
  // Told once sending was tried; each goes away as it is put right.
  const problemOf = (isRight: boolean, problem: string) => (isTried && !isRight ? problem : undefined)

  const nameProblem = name.trim() ? findNameProblem(name, limits.machineNameMax, app) : t.problems.name

  function submit() {
    setTried(true)
    setRefusal(undefined)
    if (isCode && password && !nameProblem) add.mutate()
  }

  return (
    <FormDialog
      title={t.addTitle}
      submit={t.add}
      busy={add.isPending}
      refusal={refusal}
      onClose={onClose}
      onSubmit={submit}
    >
      <div>
        <TextField
          label={t.code}
          name="code"
          autoFocus
          inputMode="numeric"
          autoComplete="off"
          value={code}
          maxLength={codeInputMax}
          error={problemOf(isCode, t.problems.code)}
          onChange={setCode}
        />
        <p className={css.hint}>{t.codeHint}</p>
      </div>
      <TextField
        label={t.password}
        name="password"
        type="password"
        autoComplete="off"
        maxLength={limits.machinePasswordMax}
        value={password}
        error={problemOf(password !== '', t.problems.password)}
        onChange={setPassword}
      />
      <TextField
        label={t.name}
        name="name"
        autoComplete="off"
        value={name}
        error={isTried ? nameProblem : undefined}
        onChange={setName}
      />
      {groups.length > 0 && (
        <SelectField
          label={t.group}
          value={groupId}
          onChange={setGroupId}
          options={[
            { value: 0, label: t.noGroup },
            ...groups.map((group) => ({ value: group.id, label: group.name })),
          ]}
        />
      )}
    </FormDialog>
  )
}
