local t = {}
for line in io.lines() do t[#t + 1] = line:upper():reverse() end
table.sort(t)
for i, v in ipairs(t) do print(i, v) end
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
print(fib(12), math.pi, string.format("%5.2f|%q", 1.5, "a\nb"), #tostring(os.clock()) > 0)
print(pcall(error, "caught"))
