import { useText } from '../../shared/i18n/index.ts'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { LeavingBanner } from './leaving-banner.tsx'
import css from './no-space.module.css'

/** An enterprise that one is not in. Its owner may have just asked to delete it, and takes that back here too. */
export function NoSpace() {
  const t = useText().enterprises.manage
  return (
    <div className={css.page}>
      <LeavingBanner />
      <EmptyState icon="user" title={t.noSpace} hint={t.noSpaceHint} />
    </div>
  )
}
