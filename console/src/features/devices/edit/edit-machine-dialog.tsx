import { access, limits, machines, textWidth } from '@busbar/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { changeRow, refreshMachine } from '../../../entities/machine/list-changes.ts'
import type { Machine } from '../../../entities/machine/machine.ts'
import { call } from '../../../shared/api/client.ts'
import { useLang, useText } from '../../../shared/i18n/index.ts'
import form from '../../../shared/ui/dialogs/form.module.css'
import { FormDialog } from '../../../shared/ui/dialogs/form-dialog.tsx'
import { TextField } from '../../../shared/ui/field.tsx'
import { showToast } from '../../../shared/ui/toast/toast-store.ts'
import css from '../add/add-machine-dialog.module.css'
import { checkEditInput, type EditProblems, judgeEditFailure } from './edit-machine-form.ts'
import { MachinePhotoField } from './machine-photo-field.tsx'

/** The caller's own name and remark for a machine; holders of a read-write key also set its picture. */
export function EditMachineDialog({ machine, onClose }: { machine: Machine; onClose: () => void }) {
  const text = useText()
  const t = text.machineEdit.edit
  const lang = useLang()
  const client = useQueryClient()
  const [name, setName] = useState(machine.name)
  const [remark, setRemark] = useState(machine.remark)
  const [photo, setPhoto] = useState(machine.photo)
  const [problems, setProblems] = useState<EditProblems>({})
  const wished = { name: name.trim(), remark: remark.trim() }
  const isRenamed = wished.name !== machine.name
  const isRemarked = wished.remark !== machine.remark
  const isRepictured = photo !== machine.photo
  const maySetPhoto = machine.level >= machines.limitAuthority.bkey && !machine.readOnly

  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const { id, code } = machine
      if (isRepictured && photo)
        await call(access.updateMachineInfo, { machineCode: code, projectImage: photo }, { noNotice: true })
      else if (isRepictured) await call(access.resetImage, { deviceId: id }, { noNotice: true })
      if (!isRenamed && !isRemarked) return
      await call(machines.updateMachine, {
        updateMachineID: id,
        updateMachineCode: code,
        ...(isRenamed ? { updateMachineName: wished.name } : {}),
        ...(isRemarked ? { updateMachineRemark: wished.remark } : {}),
      })
    },
    onSuccess: () => {
      changeRow(client, machine.id, {
        name: wished.name,
        remark: wished.remark,
        photo: photo,
      })
      showToast(t.saved)
      onClose()
      return refreshMachine(client, machine.id)
    },
    onError: (error) => setProblems(judgeEditFailure(error, text, lang)),
  })

  function submit() {
    const found = checkEditInput({ name, remark }, text)
    setProblems(found)
    if (Object.keys(found).length > 0) return
    if (isRenamed || isRemarked || isRepictured) mutate()
    else onClose()
  }

  return (
    <FormDialog
      title={t.title(machine.name)}
      submit={t.save}
      busy={isPending}
      refusal={problems.general}
      onSubmit={submit}
      onClose={onClose}
    >
      <div>
        <TextField
          label={t.name}
          autoFocus
          autoComplete="off"
          value={name}
          error={problems.name}
          onChange={(next) => {
            setName(next)
            setProblems({})
          }}
          after={<Counter text={name} max={limits.machineNameMax} />}
        />
        <p className={form.hint}>{t.nameHint}</p>
      </div>
      <div>
        <TextField
          label={t.remark}
          autoComplete="off"
          value={remark}
          error={problems.remark}
          onChange={(next) => {
            setRemark(next)
            setProblems({})
          }}
          after={<Counter text={remark} max={limits.remarkMax} />}
        />
        <p className={form.hint}>{t.remarkHint}</p>
      </div>
      {maySetPhoto && <MachinePhotoField machine={machine} photo={photo} onChange={setPhoto} />}
    </FormDialog>
  )
}

function Counter({ text, max }: { text: string; max: number }) {
  const t = useText().app
  return <span className={css.counter}>{t.counter(textWidth(text.trim()), max)}</span>
}
