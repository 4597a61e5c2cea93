import { projects } from '@busbar/contract'
import type { Project } from '../../../entities/project/project.ts'
import { projectsKey } from '../../../entities/project/project-queries.ts'
import { call } from '../../../shared/api/client.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { TextField } from '../../../shared/ui/field.tsx'
import { FormRefusal } from '../../../shared/ui/form/form-dialog.tsx'
import { type Form, useForm } from '../../../shared/ui/form/use-form.ts'
import { Row, Stack } from '../../../shared/ui/layout/layout.tsx'
import { useEmbeddingText } from './embedding-text.ts'

/** Adds a website to those that may embed devices. The platform names the fault of one that cannot. */
export function OriginForm({ project: { id, origins } }: { project: Project }) {
  const t = useEmbeddingText()
  const form: Form<{ origin: string }> = useForm({
    initial: { origin: '' },
    required: ['origin'],
    words: { origin: { required: t.originMissing } },
    check: ({ origin }) => ({ origin: origins.includes(origin.trim()) ? t.originTwice : undefined }),
    errorFields: { ORIGIN_WRONG: 'origin', origins: 'origin' },
    send: ({ origin }) => call(projects.updateProject, { id, origins: [...origins, origin.trim()] }),
    done: t.added,
    touched: [projectsKey],
    onSent: () => form.set('origin', ''),
  })
  return (
    <form {...form.props}>
      <Row gap={8} align="end" wraps>
        <Stack grows>
          <TextField
            label={t.origin}
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            placeholder={t.originPlaceholder}
            {...form.text('origin')}
          />
        </Stack>
        <Button type="submit" icon="plus" busy={form.isSending}>
          {t.add}
        </Button>
      </Row>
      <FormRefusal text={form.general} />
    </form>
  )
}
