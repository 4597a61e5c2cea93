import { projects } from '@busbar/contract'
import { useNavigate } from '@tanstack/react-router'
import type { Project } from '../../../entities/project/project.ts'
import { projectsKey } from '../../../entities/project/project-queries.ts'
import { call } from '../../../shared/api/client.ts'
import { TextField } from '../../../shared/ui/field.tsx'
import { FormDialog } from '../../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../../shared/ui/form/use-form.ts'
import { Text } from '../../../shared/ui/layout/layout.tsx'
import { useDetailText } from './detail-text.ts'

/** Deletes a project after its name was typed. */
export function DeleteProjectDialog({ project, onClose }: { project: Project; onClose: () => void }) {
  const t = useDetailText().settings
  const navigate = useNavigate()
  const { id, name } = project
  const form = useForm({
    initial: { name: '' },
    check: (values) => ({ name: values.name.trim() === name ? undefined : t.deleteWrong }),
    send: () => call(projects.deleteProject, { id }),
    done: t.deleted(name),
    onSent: async () => {
      await navigate({ to: '/project/' })
    },
    touched: [[...projectsKey, 'list']],
  })
  return (
    <FormDialog
      title={t.deleteTitle(name)}
      submit={t.delete}
      danger
      width={480}
      form={form}
      onClose={onClose}
    >
      <Text as="p" pretty>
        {t.deleteBody}
      </Text>
      <TextField label={t.deleteName(name)} autoFocus autoComplete="off" {...form.text('name')} />
    </FormDialog>
  )
}
