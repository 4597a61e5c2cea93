import { ApiError, brands, sites } from '@busbar/contract'
import { useMutation } from '@tanstack/react-query'
import { sitesKey } from '../../../entities/site/site-queries.ts'
import { call } from '../../../shared/api/client.ts'
import { refusalWords } from '../../../shared/api/refusal-words.ts'
import { useLang } from '../../../shared/i18n/index.ts'
import dialog from '../../../shared/ui/dialogs/form.module.css'
import { TextField } from '../../../shared/ui/field.tsx'
import { FilePicker } from '../../../shared/ui/file-picker.tsx'
import { FormDialog } from '../../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../../shared/ui/form/use-form.ts'
import { Stack } from '../../../shared/ui/layout/layout.tsx'
import type { Site, SitePlan } from '../site-queries.ts'
import { useSitesText } from '../sites-text.ts'
import css from './plan-dialog.module.css'

interface PlanDialogProps {
  site: Site
  /** The plan to change; without it a new one. */
  plan?: SitePlan
  onClose: () => void
  onAdded: (id: number) => void
}

/** Adds a plan, or gives one another name or picture. */
export function PlanDialog({ site, plan, onClose, onAdded }: PlanDialogProps) {
  const t = useSitesText().plan
  const lang = useLang()
  const form = useForm<{ readonly name: string; readonly picture: string }, number>({
    route: plan ? sites.updatePlan : sites.addPlan,
    initial: { name: plan?.name ?? '', picture: plan?.picture ?? '' },
    required: ['name'],
    check: ({ picture }) => ({ picture: picture === '' ? t.needsPicture : undefined }),
    send: async ({ name, picture }) => {
      const asked = { id: site.id, name, picture, revision: site.revision }
      if (!plan) return (await call(sites.addPlan, asked)).planId
      await call(sites.updatePlan, { ...asked, planId: plan.id })
      return plan.id
    },
    done: (_, { name }) => (plan ? t.saved : t.added(name)),
    touched: [sitesKey],
    onSent: (id) => {
      onClose()
      if (!plan) onAdded(id)
    },
  })
  const upload = useMutation({
    mutationFn: (file: File) => call(brands.createUpload, { purpose: 'sitePlan', file }, { noNotice: true }),
    onSuccess: ({ url }, file) => {
      form.set('picture', url)
      if (form.values.name.trim() === '') form.set('name', nameOf(file))
    },
  })
  const { picture } = form.values
  const problem = upload.isError ? explain(upload.error) : form.problems.picture
  function explain(error: Error): string {
    return (error instanceof ApiError && refusalWords(error, lang)) || t.failed
  }
  return (
    <FormDialog
      title={plan ? t.change : t.add}
      submit={t.submit}
      form={form}
      disabled={upload.isPending}
      onClose={onClose}
    >
      <Stack gap={6} data-field="picture">
        <span className={dialog.label}>{t.picture}</span>
        {picture && <img src={picture} alt="" className={css.preview} />}
        <FilePicker
          label={t.picture}
          action={picture ? t.replace : t.choose}
          accept=".png,.jpg,.jpeg,.webp,.svg"
          disabled={upload.isPending}
          onChoose={(file) => upload.mutate(file)}
        />
        {problem ? (
          <p role="alert" className={dialog.error}>
            {problem}
          </p>
        ) : (
          <p role="status" className={dialog.hint}>
            {upload.isPending ? t.uploading : t.hint}
          </p>
        )}
        {upload.isPending && <progress className={css.progress} aria-label={t.uploading} />}
      </Stack>
      <TextField label={t.name} {...form.text('name')} />
    </FormDialog>
  )
}

const nameMax = 15
/** The name of a file without its ending, as far as a plan's name may be long. */
const nameOf = ({ name }: File): string => [...name.replace(/\.[^.]*$/, '')].slice(0, nameMax).join('')
