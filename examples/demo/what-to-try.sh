# the teams of Ada, with her role, what they use and what their plan allows
curl -s -w '\n' -H "Authorization: Bearer $ADA" 'http://localhost:3000/teams'
# the people of a team and their roles
curl -s -w '\n' -H "Authorization: Bearer $BEN" 'http://localhost:3000/teams/lumen-bikes/members'
# Emma is a guest: she sees the one workspace that she is a member of
curl -s -w '\n' -H "Authorization: Bearer $EMMA" 'http://localhost:3000/teams/lumen-bikes/workspaces'
# the whole tree of the handbook, in order
curl -s -w '\n' -H "Authorization: Bearer $EMMA" 'http://localhost:3000/teams/lumen-bikes/workspaces/handbook/collections'
# one page, found by its slug
curl -s -w '\n' -H "Authorization: Bearer $CLEO" 'http://localhost:3000/teams/lumen-bikes/workspaces/handbook/collections/by-slug/holidays'
# pages by their text: a phrase, in all workspaces that Cleo may read, each page with a snippet
curl -s -w '\n' -H "Authorization: Bearer $CLEO" --get --data-urlencode 'q="tram tracks"' 'http://localhost:3000/teams/lumen-bikes/search?in=all'
# the same for a part of a Japanese sentence
curl -s -w '\n' -H "Authorization: Bearer $CLEO" --get --data-urlencode 'q=雨の日' 'http://localhost:3000/teams/lumen-bikes/search?in=all'
# Cleo writes a page to Product, where every member writes
curl -s -w '\n' -H "Authorization: Bearer $CLEO" -H 'Content-Type: application/json' -d '{"name":"From a terminal","object":"item","content":{"markdown":"Hello!"}}' 'http://localhost:3000/teams/lumen-bikes/workspaces/product/collections'
# Cleo is not a member of the private workspace Leadership: 404
curl -s -w '\n' -H "Authorization: Bearer $CLEO" 'http://localhost:3000/teams/lumen-bikes/workspaces/leadership'
# the pending invites of Farid
curl -s -w '\n' -H "Authorization: Bearer $FARID" 'http://localhost:3000/invites'
# what was deleted from Product, and can be restored
curl -s -w '\n' -H "Authorization: Bearer $CLEO" 'http://localhost:3000/teams/lumen-bikes/workspaces/product/collections/trash'
