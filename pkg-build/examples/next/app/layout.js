// The frame of every page.

export const metadata = { title: "Toponym with Next.js", icons: "data:," };

export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
