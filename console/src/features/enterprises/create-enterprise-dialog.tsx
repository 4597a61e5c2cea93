import { enterprises, limits } from '@busbar/contract'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { useText } from '../../i18n/index.ts'
import { TextField } from '../../ui/field.tsx'
import css from '../access/form.module.css'
import { FormDialog } from './form-dialog.tsx'
import { useAct } from './use-act.ts'

interface CreateEnterpriseDialogProps {
  onClose: () => void
  onCreated: (eid: number) => void
}

/** Makes an enterprise whose owner one is. */
export function CreateEnterpriseDialog({ onClose, onCreated }: CreateEnterpriseDialogProps) {
  const t = useText().enterprises.space
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string>()
  const [refusal, setRefusal] = useState<string>()
  const create = useAct<string>({
    call: async (wished) => {
      const { eid } = await call(enterprises.createEnterprise, { name: wished })
      onClose()
      onCreated(eid)
    },
    done: t.created,
    touched: [['enterprises']],
    onRefused: setRefusal,
  })
  return (
    <FormDialog
      title={t.createTitle}
      submit={t.create}
      busy={create.isPending}
      refusal={refusal}
      onClose={onClose}
      onSubmit={() => {
        setProblem(name.trim() ? undefined : t.nameMissing)
        if (name.trim()) create.mutate(name.trim())
      }}
    >
      <p className={css.body}>{t.createHint}</p>
      <TextField
        label={t.name}
        name="name"
        autoFocus
        maxLength={limits.enterpriseNameMax}
        value={name}
        error={problem}
        onChange={setName}
      />
    </FormDialog>
  )
}
