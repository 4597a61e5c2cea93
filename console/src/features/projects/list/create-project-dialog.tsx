import { projects } from '@busbar/contract'
import { type ProjectSpace, projectsKey } from '../../../entities/project/project-queries.ts'
import { useProjectsText } from '../../../entities/project/projects-text.ts'
import { call } from '../../../shared/api/client.ts'
import { TextField } from '../../../shared/ui/field.tsx'
import { FormDialog } from '../../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../../shared/ui/form/use-form.ts'
import { Note } from '../../../shared/ui/layout/layout.tsx'

interface CreateProjectDialogProps {
  space: ProjectSpace
  onClose: () => void
  onCreated: (id: number) => void
}

/** Creates a project that the person owns. */
export function CreateProjectDialog({ space, onClose, onCreated }: CreateProjectDialogProps) {
  const t = useProjectsText().create
  const form = useForm({
    route: projects.createProject,
    initial: { name: '', description: '' },
    words: { name: { required: t.nameMissing } },
    send: ({ name, description }) => call(projects.createProject, { ...space, name, description }),
    done: (_, { name }) => t.done(name.trim()),
    touched: [projectsKey],
    onSent: ({ id }) => {
      onClose()
      onCreated(id)
    },
  })
  return (
    <FormDialog title={t.title} submit={t.submit} form={form} onClose={onClose}>
      <TextField label={t.name} autoFocus {...form.text('name')} />
      <TextField label={t.description} {...form.text('description')} />
      <Note>{t.after}</Note>
    </FormDialog>
  )
}
