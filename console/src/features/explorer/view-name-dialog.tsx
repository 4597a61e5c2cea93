import { views } from '@busbar/contract'
import { call } from '../../shared/api/client.ts'
import type { PageSpace } from '../../shared/session/page-space.ts'
import { TextField } from '../../shared/ui/field.tsx'
import { FormDialog } from '../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../shared/ui/form/use-form.ts'
import { useExplorerText } from './explorer-text.ts'
import { type SavedView, viewsKey } from './view-queries.ts'

interface ViewNameDialogProps {
  space: PageSpace
  /** The state to save as a new view, or the view to rename. */
  of: { readonly state: views.ViewState } | { readonly view: SavedView }
  onClose: () => void
}

/** Names a view: a new one, or an existing one. */
export function ViewNameDialog({ space, of, onClose }: ViewNameDialogProps) {
  const t = useExplorerText().views
  const isNew = 'state' in of
  const form = useForm<{ readonly name: string }, unknown>({
    route: isNew ? views.createView : views.updateView,
    initial: { name: isNew ? '' : of.view.name },
    required: ['name'],
    send: ({ name }) =>
      isNew
        ? call(views.createView, { name, ...space.asked, state: of.state })
        : call(views.updateView, { id: of.view.id, name }),
    done: (_, { name }) => (isNew ? t.saved(name) : t.renamed),
    touched: [viewsKey],
    onSent: onClose,
  })
  return (
    <FormDialog title={isNew ? t.save : t.rename} submit={t.saveAction} form={form} onClose={onClose}>
      <TextField label={t.name} autoFocus {...form.text('name')} />
    </FormDialog>
  )
}
