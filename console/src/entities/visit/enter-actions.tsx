import { useQuery } from '@tanstack/react-query'
import { useText } from '../../shared/i18n/index.ts'
import { classes } from '../../shared/ui/classes.ts'
import { Icon } from '../../shared/ui/icon.tsx'
import { Row, Text } from '../../shared/ui/layout/layout.tsx'
import { LinkButton } from '../../shared/ui/link-button.tsx'
import { Menu, MenuItem } from '../../shared/ui/menu/menu.tsx'
import { enterAddress, enterBlock } from '../machine/enter-machine.ts'
import type { Machine } from '../machine/machine.ts'
import { visitIcons } from '../machine/visit-icons.ts'
import css from './enter-actions.module.css'
import { targetsQuery } from './visit-queries.ts'

/** Enters the machine shown in a pane; if it offers several pages, also a page other than its own. */
export function EnterActions({ machine }: { machine: Machine }) {
  const t = useText().visits
  const id = machine.id
  const block = enterBlock(machine, t.blocked)
  const { data } = useQuery({ ...targetsQuery(id), enabled: block === undefined, retry: false })
  const targets = data?.targets ?? []
  const several = block === undefined && targets.length > 1
  const only = targets.length === 1 && targets[0]?.name !== 'page' ? targets[0]?.name : undefined
  return (
    <Row align="stretch" inline>
      <LinkButton
        kind="primary"
        href={block === undefined ? enterAddress(id, only) : undefined}
        target="_blank"
        rel="noopener"
        data-tip={block}
        className={classes(several && css.first)}
      >
        <Icon path={visitIcons.enter} />
        {t.enter}
      </LinkButton>
      {several && (
        <Menu
          label={t.targets.choose}
          trigger={
            <button
              type="button"
              className={css.more}
              aria-label={t.targets.choose}
              data-tip={t.targets.choose}
            >
              <Icon name="chevronDown" size={14} />
            </button>
          }
        >
          {targets.map(({ name, readOnly }) => (
            <MenuItem key={name} href={enterAddress(id, name)}>
              <span className={css.target}>
                <span className={t.targets.names[name] ? undefined : 'mono'}>
                  {t.targets.names[name] ?? name}
                </span>
                <Text tone="quiet" size="11/14">
                  {readOnly ? t.targets.watchable : t.targets.fullOnly}
                </Text>
              </span>
            </MenuItem>
          ))}
        </Menu>
      )}
    </Row>
  )
}
