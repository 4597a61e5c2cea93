import { theme as antdTheme, ConfigProvider, type ThemeConfig } from 'antd'
import type { MappingAlgorithm } from 'antd/es/theme/interface/index.js'
import english from 'antd/locale/en_GB'
import chinese from 'antd/locale/zh_CN'
import type { ReactNode } from 'react'
import { useTheme } from '../app/theme.ts'
import { useLang } from '../i18n/language.ts'
import tokens from './tokens.json' with { type: 'json' }

type Colours = typeof tokens.light

/** antd's algorithms dull the seed colours; this one, run last, pins them to ours. */
function pin(colours: Colours): MappingAlgorithm {
  return (_, derived) => ({
    ...(derived as NonNullable<typeof derived>),
    colorPrimary: colours.solid,
    colorPrimaryHover: colours.accentHover,
    colorPrimaryActive: colours.accentHover,
    colorPrimaryBg: colours.accentBg,
    colorPrimaryBgHover: colours.selected,
    colorPrimaryText: colours.accent,
    colorError: colours.crit,
    colorErrorText: colours.critText,
    colorErrorBg: colours.critBg,
    colorWarning: colours.warn,
    colorSuccess: colours.ok,
    colorLink: colours.accent,
    colorLinkHover: colours.accentHover,
    colorBgBase: colours.surface,
    colorBgContainer: colours.surface,
    colorBgElevated: colours.raised,
    colorBgLayout: colours.app,
    colorBgSpotlight: colours.ink,
    colorText: colours.text,
    colorTextSecondary: colours.text2,
    colorTextTertiary: colours.text3,
    colorTextQuaternary: colours.text3,
    colorBorder: colours.lineStrong,
    colorBorderSecondary: colours.line,
    colorFillTertiary: colours.hover,
    colorFillQuaternary: colours.sunken,
  })
}

const measures = {
  fontFamily: 'var(--font-text)',
  fontFamilyCode: 'var(--font-mono)',
  borderRadius: 6,
  borderRadiusLG: 8,
  borderRadiusSM: 4,
  motionDurationFast: '0.1s',
  motionDurationMid: '0.16s',
  motionDurationSlow: '0.22s',
  wireframe: false,
} satisfies ThemeConfig['token']

/** Ant Design on the console's tokens. Only what uses antd imports it, so that it loads when first needed. */
export function AntdProvider({ children }: { children: ReactNode }) {
  const theme = useTheme()
  const lang = useLang()
  const narrow = document.documentElement.dataset.layout === 'narrow'
  const algorithm = theme === 'dark' ? antdTheme.darkAlgorithm : antdTheme.defaultAlgorithm
  return (
    <ConfigProvider
      locale={lang === 'cn' ? chinese : english}
      button={{ autoInsertSpace: false }}
      wave={{ disabled: true }}
      theme={{
        hashed: false,
        cssVar: { key: 'busbar' },
        algorithm: [algorithm, pin(tokens[theme])],
        token: { ...measures, fontSize: narrow ? 14 : 13, controlHeight: narrow ? 40 : 30 },
      }}
    >
      {children}
    </ConfigProvider>
  )
}
