import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useText } from '../../shared/i18n/language.ts'
import { personQuery } from '../../shared/session/account-queries.ts'
import { isTvBox } from '../../shared/session/mobile-url.ts'
import { signOut } from '../../shared/session/session-end.ts'
import { Avatar } from '../../shared/ui/avatar.tsx'
import { BrandName } from '../../shared/ui/brand-name.tsx'
import { IconButton } from '../../shared/ui/button.tsx'
import { classes } from '../../shared/ui/classes.ts'
import { Icon } from '../../shared/ui/icon.tsx'
import { Row, Stack } from '../../shared/ui/layout/layout.tsx'
import { lazyPart } from '../../shared/ui/lazy-part.tsx'
import { Popover } from '../../shared/ui/popover/popover.tsx'
import { LanguageButton, ThemeButton } from '../../shared/ui/preference-switches.tsx'
import { preloadWhenIdle } from '../../shared/ui/preload-when-idle.ts'
import { SkipLink } from '../../shared/ui/skip-link.tsx'
import { HomeLink } from './home-link.tsx'
import { SideMenu } from './side-menu.tsx'
import { TvMenu } from './tv-menu.tsx'
import { UnreadBell } from './unread-bell.tsx'
import { usePaletteKey } from './use-palette-key.ts'
import { useRemoteKeys } from './use-remote-keys.ts'
import { useSpaceFace } from './use-space-face.ts'
import { UserPanel } from './user-panel.tsx'
import css from './wide-shell.module.css'

const JumpPalette = lazyPart(
  () => import('../palette/jump-palette.tsx').then((module) => module.JumpPalette),
  'dialog',
)

const VisitBar = lazyPart(
  () => import('../../features/visits/visit-bar.tsx').then((module) => module.VisitBar),
  'nowhere',
)

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** Header, side menu and the page. Pages fill `main` and scroll inside themselves. */
export function WideShell({ children }: { children: ReactNode }): ReactNode {
  const t = useText().app
  const [jumping, setJumping] = useState(false)
  usePaletteKey(() => setJumping(true))
  useSpaceFace()
  // Letters that are typed before it stands would be lost.
  useEffect(() => preloadWhenIdle([JumpPalette]), [])
  const { client } = useSearch({ from: '__root__' })
  const tv = isTvBox(navigator, client ? `?client=${client}` : '')
  const shell = useRef<HTMLDivElement>(null)
  useRemoteKeys(shell, tv)
  return (
    <div ref={shell} className={classes(css.shell, tv && css.tv)} data-shell="wide">
      <SkipLink />
      <header className={css.header}>
        <Row gap={16} shrinks>
          <HomeLink className={css.brand}>
            <BrandName />
          </HomeLink>
          {tv && <TvMenu />}
        </Row>
        <button
          type="button"
          className={css.search}
          onClick={() => setJumping(true)}
          aria-keyshortcuts="Meta+K Control+K"
        >
          <Icon name="search" />
          <span className="cut">{t.header.search}</span>
          <kbd>{isApple ? '⌘K' : 'Ctrl K'}</kbd>
        </button>
        <Row gap={2} justify="end">
          <LanguageButton />
          <ThemeButton />
          <UnreadBell />
          <UserButton />
          <IconButton icon="signOut" label={t.header.signOut} onClick={() => void signOut()} />
        </Row>
      </header>
      {!tv && <SideMenu />}
      <Stack id="content" tabIndex={-1} as="main" shrinks className={css.main}>
        {children}
      </Stack>
      <div className={css.visits}>
        <VisitBar narrow={false} />
      </div>
      {jumping && <JumpPalette onClose={() => setJumping(false)} />}
    </div>
  )
}

function UserButton() {
  const t = useText().app
  const { data: person } = useQuery(personQuery)
  const name = person?.name ?? ''
  return (
    <Popover
      placement="bottom end"
      label={t.user.title}
      className={css.panel}
      trigger={
        <button type="button" className={css.user}>
          <Avatar name={name} />
          <span className="cut">{name}</span>
          <span className="sr-only">{t.header.user}</span>
        </button>
      }
    >
      {(close) => <UserPanel onLeave={close} />}
    </Popover>
  )
}
