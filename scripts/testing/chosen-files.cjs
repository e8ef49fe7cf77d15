const path = require('node:path')

const projectDir = path.join(__dirname, '../..')

/**
 * Jest's `--filter`: keeps the files that the variable TEST_FILES lists, one a line. As arguments, Jest would repeat
 * all of them at the end of its report.
 */
module.exports = (paths) => {
  const chosen = new Set(
    process.env.TEST_FILES.split('\n').map((file) => path.join(projectDir, file)),
  )
  return { filtered: paths.filter((file) => chosen.has(file)) }
}
