import type { ReactNode } from 'react'
import { useText } from '../../i18n/index.ts'
import { IconButton } from '../button.tsx'
import { Menu } from '../menu/menu.tsx'

/** Everything else that can be done to a person: `MenuItem`s. */
export function RowMenu({ name, children }: { name: string; children: ReactNode }) {
  const t = useText().access
  return (
    <Menu
      label={t.more(name)}
      placement="bottom end"
      trigger={<IconButton icon="more" label={t.more(name)} size="small" />}
    >
      {children}
    </Menu>
  )
}
