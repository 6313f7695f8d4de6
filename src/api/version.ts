/** The version of Berth that `berth --version`, the API and the OpenAPI document show. `npm run release` sets it. */
export const VERSION = '0.2.0'
