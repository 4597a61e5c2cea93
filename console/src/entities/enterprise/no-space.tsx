import { useText } from '../../shared/i18n/index.ts'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { Stack } from '../../shared/ui/layout/layout.tsx'
import { LeavingBanner } from './leaving-banner.tsx'
import css from './no-space.module.css'

/**
 * An enterprise that the person does not belong to. Its owner may have just requested its deletion, and can
 * cancel that here.
 */
export function NoSpace() {
  const t = useText().enterprises.manage
  return (
    <Stack pad="14 16" grows className={css.page}>
      <LeavingBanner />
      <EmptyState icon="user" title={t.noSpace} hint={t.noSpaceHint} />
    </Stack>
  )
}
