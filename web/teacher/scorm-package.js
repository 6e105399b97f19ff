// What a SCORM package has beside the widget's files: the manifest and the page. Pure: for the command and for pages.

/** @typedef {{title: string, language: string, attributes: [name: string, text: string][], exercises: number, pass: number}} ScormLesson */

/** @param {string} text  for an element or an attribute in quotation marks */
const escaped = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The page that a platform opens. @param {ScormLesson} lesson */
export function scormPage({ title, language, attributes, exercises, pass }) {
  const written = attributes.map(([name, text]) => ` ${name}="${escaped(text)}"`).join('');
  return `<!doctype html>
<html lang="${escaped(language)}" data-exercises="${exercises}" data-pass="${pass}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<link rel="icon" href="data:,">
<script defer src="scorm.js"></script>
<script defer src="attention-widget.classic.js"></script>
</head>
<body>
<h1>${escaped(title)}</h1>
<attention-widget${written}></attention-widget>
</body>
</html>
`;
}

const namespaces = {
  1.2: `xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2"
  xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2"`,
  2004: `xmlns="http://www.imsglobal.org/xsd/imscp_v1p1"
  xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_v1p3"`,
};

/**
 * @param {'1.2' | '2004'} version  of SCORM; of 2004 the fourth edition
 * @param {ScormLesson} lesson
 * @param {string[]} files  all but the manifest, the page first
 */
export function scormManifest(version, { title, pass }, files) {
  const older = version === '1.2';
  const type = older ? 'adlcp:scormtype' : 'adlcp:scormType';
  const mastery = older ? `\n        <adlcp:masteryscore>${pass}</adlcp:masteryscore>` : '';
  return `<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="attention-lesson" version="1.0"
  ${namespaces[version]}>
  <metadata>
    <schema>ADL SCORM</schema>
    <schemaversion>${older ? '1.2' : '2004 4th Edition'}</schemaversion>
  </metadata>
  <organizations default="lesson">
    <organization identifier="lesson">
      <title>${escaped(title)}</title>
      <item identifier="item" identifierref="page">
        <title>${escaped(title)}</title>${mastery}
      </item>
    </organization>
  </organizations>
  <resources>
    <resource identifier="page" type="webcontent" ${type}="sco" href="${escaped(files[0])}">
${files.map((file) => `      <file href="${escaped(file)}"/>`).join('\n')}
    </resource>
  </resources>
</manifest>
`;
}
