const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Drawing elements. They do not include scripts, foreign content, pictures from elsewhere, links and animations. */
export const svgElements = words(`
  svg g defs symbol use title desc
  path rect circle ellipse line polyline polygon
  text tspan textPath
  linearGradient radialGradient stop clipPath mask pattern marker filter style
  feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap
  feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode
  feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence
`)

/** Elements whose text is kept. */
export const svgTextElements = words('text tspan textPath title desc style')

/** Attributes without a prefix that are kept; their values are checked in addition. */
export const svgAttributes = words(`
  id class style transform viewBox preserveAspectRatio width height x y x1 y1 x2 y2 cx cy r rx ry fx fy fr dx dy d
  points pathLength rotate textLength lengthAdjust startOffset method spacing version offset
  gradientUnits gradientTransform spreadMethod patternUnits patternContentUnits patternTransform
  clipPathUnits maskUnits maskContentUnits markerUnits markerWidth markerHeight refX refY orient
  filterUnits primitiveUnits in in2 result mode type values operator k1 k2 k3 k4 order kernelMatrix divisor bias
  targetX targetY edgeMode kernelUnitLength preserveAlpha surfaceScale diffuseConstant specularConstant
  specularExponent scale xChannelSelector yChannelSelector azimuth elevation stdDeviation radius baseFrequency
  numOctaves seed stitchTiles z pointsAtX pointsAtY pointsAtZ limitingConeAngle tableValues slope intercept
  amplitude exponent
  alignment-baseline baseline-shift clip clip-path clip-rule color color-interpolation
  color-interpolation-filters direction display dominant-baseline fill fill-opacity fill-rule filter flood-color
  flood-opacity font-family font-size font-size-adjust font-stretch font-style font-variant font-weight
  image-rendering letter-spacing lighting-color marker-end marker-mid marker-start mask mask-type mix-blend-mode
  opacity overflow paint-order shape-rendering stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset
  stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width text-anchor text-decoration
  text-rendering unicode-bidi vector-effect visibility word-spacing writing-mode
`)

/** Elements that may point at another one of the same picture. */
export const svgReferrers = words('use textPath linearGradient radialGradient pattern filter')
