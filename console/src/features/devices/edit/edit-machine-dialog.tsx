import { access, limits, machines, textWidth } from '@busbar/contract'
import { useQueryClient } from '@tanstack/react-query'
import { changeRow, refreshMachine } from '../../../entities/machine/list-changes.ts'
import type { Machine } from '../../../entities/machine/machine.ts'
import { call } from '../../../shared/api/client.ts'
import { useText } from '../../../shared/i18n/index.ts'
import css from '../../../shared/ui/dialogs/form.module.css'
import { TextField } from '../../../shared/ui/field.tsx'
import { FormDialog } from '../../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../../shared/ui/form/use-form.ts'
import add from '../add/add-machine-dialog.module.css'
import { MachinePhotoField } from './machine-photo-field.tsx'

/** The caller's own name and remark for a machine; holders of a read-write key also set its picture. */
export function EditMachineDialog({ machine, onClose }: { machine: Machine; onClose: () => void }) {
  const text = useText()
  const t = text.machineEdit.edit
  const client = useQueryClient()
  const { id, code } = machine
  const maySetPhoto = machine.level >= machines.limitAuthority.bkey && !machine.readOnly

  const form = useForm({
    route: machines.updateMachine,
    initial: { name: machine.name, remark: machine.remark, photo: machine.photo },
    names: { name: 'updateMachineName', remark: 'updateMachineRemark' },
    required: ['name'],
    words: { name: { required: text.machines.addDialog.problems.nameEmpty } },
    send: async ({ photo, ...texts }) => {
      const [name, remark] = [texts.name.trim(), texts.remark.trim()]
      const isRepictured = photo !== machine.photo
      if (isRepictured && photo)
        await call(access.updateMachineInfo, { machineCode: code, projectImage: photo })
      else if (isRepictured) await call(access.resetImage, { deviceId: id })
      const isWorded = name !== machine.name || remark !== machine.remark
      if (isWorded) {
        await call(machines.updateMachine, {
          updateMachineID: id,
          updateMachineCode: code,
          ...(name === machine.name ? {} : { updateMachineName: name }),
          ...(remark === machine.remark ? {} : { updateMachineRemark: remark }),
        })
      }
      return { isChanged: isRepictured || isWorded, row: { name, remark, photo } }
    },
    errorFields: { '040104011': 'name', '04010412': 'name', '04010406': 'remark' },
    failed: t.failed,
    done: ({ isChanged }) => (isChanged ? t.saved : undefined),
    onSent: ({ isChanged, row }) => {
      onClose()
      if (!isChanged) return
      changeRow(client, id, row)
      return refreshMachine(client, id)
    },
  })
  const { name, remark, photo } = form.values

  return (
    <FormDialog title={t.title(machine.name)} submit={t.save} form={form} onClose={onClose}>
      <div>
        <TextField
          label={t.name}
          autoFocus
          autoComplete="off"
          {...form.text('name')}
          after={<Counter text={name} max={limits.machineNameMax} />}
        />
        <p className={css.hint}>{t.nameHint}</p>
      </div>
      <div>
        <TextField
          label={t.remark}
          autoComplete="off"
          {...form.text('remark')}
          after={<Counter text={remark} max={limits.remarkMax} />}
        />
        <p className={css.hint}>{t.remarkHint}</p>
      </div>
      {maySetPhoto && (
        <MachinePhotoField machine={machine} photo={photo} onChange={(next) => form.set('photo', next)} />
      )}
    </FormDialog>
  )
}

function Counter({ text, max }: { text: string; max: number }) {
  const t = useText().app
  return <span className={add.counter}>{t.counter(textWidth(text.trim()), max)}</span>
}
